export function PolicyPage() {
  return <p className="p-4">policy</p>
}
