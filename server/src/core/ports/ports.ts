import type { Tx } from '../../platform/db/transaction.ts'
import { loadPort, loadPorts, type PortRow } from './port-queries.ts'
import type { PortKind } from './ports-file.ts'

const codeOf = (written: string) => written.replace(/\s/g, '').toUpperCase()

/** A port by its code, in any case of letters; closed ones are found, too. UN/LOCODE by sea, IATA by air. */
export const findPort = (tx: Tx, kind: PortKind, code: string): Promise<PortRow | undefined> =>
  loadPort(tx, kind, codeOf(code))

export type KnownPort = Pick<PortRow, 'kind' | 'code' | 'name' | 'zone'>
export type FindPort = (kind: PortKind, code: string) => KnownPort | undefined

/** The sea ports and airports with these codes, in any case of letters, in one query. */
export async function portsOf(tx: Tx, codes: Iterable<string>): Promise<KnownPort[]> {
  const distinct = [...new Set([...codes].map(codeOf))]
  if (distinct.length === 0) return []
  const kinds = ['sea', 'air'] as const
  const ports = await loadPorts(
    tx,
    kinds.flatMap((kind) => distinct.map((code) => ({ kind, code }))),
  )
  return ports.map(({ kind, code, name, zone }) => ({ kind, code, name, zone }))
}

/** Finds a port among these. */
export function amongPorts(ports: readonly KnownPort[]): FindPort {
  const known = new Map(ports.map((port) => [`${port.kind} ${port.code}`, port]))
  return (kind, code) => known.get(`${kind} ${codeOf(code)}`)
}

/** The zone in which the times of a port are said; UTC where nobody knows it. */
export const zoneOf = ({ zone }: Pick<PortRow, 'zone'>): string => zone ?? 'UTC'
