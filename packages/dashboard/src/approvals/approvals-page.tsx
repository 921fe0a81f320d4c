export function ApprovalsPage() {
  return <p className="p-4">approvals</p>
}
