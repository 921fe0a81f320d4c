// From the functions that one call entered to the hops that it took.
// A room is a folder of a package. A hop is a call from one room into another that goes through more than one file there, or leads on to another
// hop; the way between two rooms counts once, when it is first taken. A call that ends in the file that it enters is a look-up, not a hop.

/** `depth`: how much stood on the stack; `turn`: another one for each turn of the event loop; `caller`: the file it was called from, or null. */
export function hopsOf(entries) {
  const hops = []
  // A function that went on after it had waited has a caller, but is not entered again.
  for (const root of buildTrees(entries)) collect(root, root.caller === null ? null : roomOf(root.caller), hops)
  return hops
}

function buildTrees(entries) {
  const roots = []
  let open = []
  let last = null
  for (const { name, depth, turn, caller: calledBy } of entries) {
    if (turn !== last) open = []
    last = turn
    while (open.length > 0 && open.at(-1).depth >= depth) open.pop()
    const [file, called] = name.split('#')
    const node = { file, called, depth, caller: calledBy, room: roomOf(file), inner: [] }
    const caller = open.at(-1)
    if (caller === undefined) roots.push(node)
    else caller.inner.push(node)
    open.push(node)
  }
  return roots
}

function roomOf(file) {
  const [name, , folder] = file.split('/')
  return `${name}/${folder}`
}

function collect(node, from, hops) {
  if (node.room !== from && isHop(node)) addHop(hops, from, node)
  for (const inner of node.inner) collect(inner, node.room, hops)
}

function isHop(node) {
  return ownFiles(node).size > 1 || leavesFor(node, inner => isHop(inner))
}

/** The files of its room that a call goes through before it leaves it. */
function ownFiles(node, files = new Set()) {
  files.add(node.file)
  for (const inner of node.inner) if (inner.room === node.room) ownFiles(inner, files)
  return files
}

function leavesFor(node, test) {
  return node.inner.some(inner => (inner.room === node.room ? leavesFor(inner, test) : test(inner)))
}

function addHop(hops, from, { room, file, called }) {
  const known = hops.find(hop => hop.from === from && hop.to === room)
  const entry = `${file}#${called}`
  if (known === undefined) hops.push({ from, to: room, entries: [entry] })
  else if (!known.entries.includes(entry)) known.entries.push(entry)
}
