/** A host of the database, with the address that leads to it alone. */
export interface DatabaseHost {
  /** As in DATABASE_URL, for people: `db-1:5432`. */
  name: string
  host: string
  port: number
  url: string
}

const shape = /^(postgres(?:ql)?:\/\/(?:[^@/]*@)?)([^@/?]*)(.*)$/
const maxHosts = 8

/** The hosts of an address such as `postgres://user:secret@db-1:5432,db-2:5432/isotherm`; null where it is no address of a database. */
export function hostsIn(databaseUrl: string): DatabaseHost[] | null {
  const [, before, list = '', after] = shape.exec(databaseUrl) ?? []
  if (before === undefined) return null
  const names = list.split(',')
  if (names.length > maxHosts || new Set(names).size < names.length) return null
  const urls = names.map((name) => `${before}${name}${after}`)
  // An address without a host leads to a socket of this machine.
  if ((names.length > 1 && names.includes('')) || !urls.every((url) => URL.canParse(url))) return null
  return urls.map((url, index) => {
    const { hostname, port } = new URL(url)
    const host = decodeURIComponent(hostname).replace(/^\[|\]$/g, '')
    return { name: names[index] ?? '', host, port: Number(port || 5432), url }
  })
}
