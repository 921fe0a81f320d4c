// A person's token is given once; it is kept nowhere in the browser. A link may carry one behind its #, which is never sent to a server.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useEffect, useState } from 'react'
import type { DaemonError } from '../daemon/daemon-error.ts'
import { Button } from '../part/button.tsx'
import { Problem } from '../part/problem.tsx'
import { askHub } from './ask-hub.ts'

export function LoginPage() {
  const [token, setToken] = useState('')
  const client = useQueryClient()
  const login = useMutation<unknown, DaemonError, string>({
    mutationFn: given => askHub('POST', '/v1/session', { token: given }),
    onSuccess: () => client.invalidateQueries(),
  })
  const { mutate } = login
  useEffect(() => {
    const [, given] = /^#token=([\w-]+)$/.exec(location.hash) ?? []
    if (given === undefined) return
    history.replaceState(null, '', location.pathname + location.search)
    mutate(given)
  }, [mutate])
  function submit(event: FormEvent): void {
    event.preventDefault()
    login.mutate(token)
  }
  return (
    <main className="mx-auto flex max-w-md flex-col gap-4 px-4 py-16">
      <h1 className="font-semibold text-large">Belay hub</h1>
      <p className="text-quiet">
        The machines of your team, what waits for a person, and proofs of what happened. Log in with your token; an administrator makes one
        with <code className="mono">belay-hub token person NAME</code>.
      </p>
      <form onSubmit={submit} className="flex flex-col gap-3">
        <label className="flex flex-col gap-1 text-small">
          <span className="text-quiet">Token</span>
          <input
            type="password"
            autoComplete="off"
            spellCheck={false}
            value={token}
            onChange={event => setToken(event.target.value)}
            className="mono h-11 rounded border border-edge/60 bg-surface px-3 text-ink"
          />
        </label>
        <Button type="submit" look="main" large disabled={token.trim() === '' || login.isPending}>
          Log in
        </Button>
      </form>
      {login.error !== null && <Problem error={login.error} />}
    </main>
  )
}
