// A page that breaks takes only itself down: the frame stays, with what happened and a way on.
import { Component, type ReactNode } from 'react'
import { Problem } from '../part/problem.tsx'

interface Props {
  /** Something else is shown: it gets its own chance. */
  readonly of: string | number
  readonly children: ReactNode
}

interface State {
  readonly of: string | number
  readonly error: Error | null
}

export class CatchError extends Component<Props, State> {
  override state: State = { of: this.props.of, error: null }

  static getDerivedStateFromProps({ of }: Props, state: State): State | null {
    return of === state.of ? null : { of, error: null }
  }

  static getDerivedStateFromError(error: Error): Pick<State, 'error'> {
    return { error }
  }

  override render(): ReactNode {
    const { error } = this.state
    if (error === null) return this.props.children
    return <Problem error={new Error(`This part of the page broke: ${error.message}`)} retry={() => location.reload()} />
  }
}
