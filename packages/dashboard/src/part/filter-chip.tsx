// A filter that is set, to take away again.
import { Button } from './button.tsx'
import { Icon } from './icon.tsx'
import { plainLine } from './plain-text.ts'

export function FilterChip({ name, value, onRemove }: { readonly name: string; readonly value: string; readonly onRemove: () => void }) {
  return (
    <Button onClick={onRemove} title={plainLine(value, 200)}>
      <span className="sr-only">Take away the filter </span>
      {name} <span className="mono max-w-48 truncate">{plainLine(value, 80)}</span> <Icon name="close" size={12} />
    </Button>
  )
}
