interface KeyedNode {
  name: string
  is_alive: boolean
  audit_keys: readonly string[] | null
}

const beginsWith = (longer: readonly string[], shorter: readonly string[]) =>
  shorter.every((key, index) => longer[index] === key)

/** Whether two servers sign audit trails with keys of one row: the newest of one may be a former one of the other. */
export const areOfOneRow = (one: readonly string[], other: readonly string[]) =>
  one.length > other.length ? beginsWith(one, other) : beginsWith(other, one)

/** Sentences about servers that live and whose keys of audit trails are not those of the others. */
export function keyFaults(nodes: readonly KeyedNode[]): string[] {
  const told = nodes.flatMap(({ name, is_alive, audit_keys }) => (is_alive && audit_keys ? [{ name, audit_keys }] : []))
  const newest = told.toSorted((a, b) => b.audit_keys.length - a.audit_keys.length)[0]
  if (!newest) return []
  return told.flatMap(({ name, audit_keys }) => {
    if (!areOfOneRow(newest.audit_keys, audit_keys))
      return [
        `Nodes ${newest.name} and ${name} sign audit trails with different keys: all need one DATA_DIR/audit-keys.json.`,
      ]
    if (audit_keys.length < newest.audit_keys.length)
      return [
        `Node ${name} signs audit trails with a former key: copy DATA_DIR/audit-keys.json of node ${newest.name} to it.`,
      ]
    return []
  })
}
