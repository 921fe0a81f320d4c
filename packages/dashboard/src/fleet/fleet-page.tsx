export function FleetPage() {
  return <p className="p-4">fleet</p>
}
