import { readFile, stat } from 'node:fs/promises'
import { isIP } from 'node:net'

/** Addresses by name, of a file like /etc/hosts; names in lower case. */
export function readHosts(text: string): Map<string, string[]> {
  const hosts = new Map<string, string[]>()
  for (const line of text.split('\n')) {
    const [written = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/)
    const address = written.replace(/%.*/, '')
    if (!isIP(address)) continue
    for (const name of names.map((one) => one.toLowerCase())) {
      const known = hosts.get(name) ?? []
      if (!known.includes(address)) hosts.set(name, [...known, address])
    }
  }
  return hosts
}

/** How the machine completes short names. */
export interface Search {
  domains: string[]
  /** A name with fewer dots is completed first. */
  dots: number
}

/** The search list of a file like /etc/resolv.conf: of several lines the last one counts. */
export function readSearch(text: string): Search {
  const search: Search = { domains: [], dots: 1 }
  for (const line of text.split('\n')) {
    const [word, ...rest] = line
      .replace(/[#;].*/, '')
      .trim()
      .split(/\s+/)
    if (word === 'search' || word === 'domain') search.domains = rest.map((domain) => domain.replace(/\.$/, ''))
    if (word !== 'options') continue
    const dots = rest.map((option) => /^ndots:(\d{1,2})$/.exec(option)?.[1]).findLast((one) => one !== undefined)
    if (dots !== undefined) search.dots = Math.min(Number(dots), 15)
  }
  search.domains = search.domains.filter((domain) => domain !== '')
  return search
}

/** The full names to ask for, in their order. */
export function fullNames(name: string, { domains, dots }: Search): string[] {
  if (name.endsWith('.')) return [name.slice(0, -1)]
  const completed = domains.map((domain) => `${name}.${domain}`)
  return name.split('.').length > dots ? [name, ...completed] : [...completed, name]
}

/** Reads a file anew only where it has changed. A file that is not there is empty. */
function kept<T>(path: string, read: (text: string) => T): () => Promise<T> {
  let last: { mark: string; value: T } | undefined
  return async () => {
    const found = await stat(path, { bigint: true }).catch(() => null)
    const mark = found ? `${found.ino}:${found.mtimeNs}:${found.size}` : ''
    if (last?.mark === mark) return last.value
    const value = read(found ? await readFile(path, 'utf8').catch(() => '') : '')
    last = { mark, value }
    return value
  }
}

export const hostsOfMachine = kept('/etc/hosts', readHosts)
export const searchOfMachine = kept('/etc/resolv.conf', readSearch)
