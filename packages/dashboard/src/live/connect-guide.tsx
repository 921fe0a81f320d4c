// Nothing has been recorded yet: how to connect an agent, and a check that turns green by itself.
import { Empty } from '../part/empty.tsx'
import { Icon } from '../part/icon.tsx'

const COMMANDS = ['belay init', 'belay install claude-code', 'belay doctor claude-code']

export function ConnectGuide({ isHeard, onContinue }: { readonly isHeard: boolean; readonly onContinue: () => void }) {
  return (
    <div>
      <Empty title="Connect an agent" commands={COMMANDS}>
        <p>
          In the project it works in. Then start the agent and let it do something. Others: codex, gemini, copilot, opencode, cursor and
          more; <span className="mono">belay install --help</span> lists them.
        </p>
      </Empty>
      <p
        role="status"
        className={`mx-auto -mt-6 flex max-w-lg items-center gap-2 px-4 font-medium ${isHeard ? 'text-allow' : 'text-faint'}`}
      >
        <Icon name={isHeard ? 'allow' : 'none'} className={isHeard ? '' : 'motion-safe:animate-pulse'} />
        {isHeard ? 'The first event is here.' : 'Waiting for the first event'}
        {isHeard && (
          <button type="button" className="text-accent underline" onClick={onContinue}>
            Show it
          </button>
        )}
      </p>
    </div>
  )
}
