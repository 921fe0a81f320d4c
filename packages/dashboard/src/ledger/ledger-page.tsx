export function LedgerPage() {
  return <p className="p-4">ledger</p>
}
