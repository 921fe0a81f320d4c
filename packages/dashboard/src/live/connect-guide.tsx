// Nothing has been recorded yet: how to connect an agent, and a check that turns green by itself.
import { Empty } from '../part/empty.tsx'
import { Icon } from '../part/icon.tsx'

const COMMANDS = ['belay init', 'belay doctor']

export function ConnectGuide({ isHeard, onContinue }: { readonly isHeard: boolean; readonly onContinue: () => void }) {
  return (
    <div>
      <Empty title="Connect an agent" commands={COMMANDS}>
        <p>
          In the folder of your project the first command writes a policy and connects the agents it finds, the second proves that they call
          us. Then let an agent do something. To connect one by its name: <span className="mono">belay install claude-code</span>, codex,
          gemini, copilot, opencode, cursor and more.
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
