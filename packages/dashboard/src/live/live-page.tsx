export function LivePage() {
  return <p className="p-4">live</p>
}
