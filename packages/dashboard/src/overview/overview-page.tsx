export function OverviewPage() {
  return <p className="p-4">overview</p>
}
