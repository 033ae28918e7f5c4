import type { Tx } from '../../platform/db/transaction.ts'
import { loadPort, type PortRow } from './port-queries.ts'
import type { PortKind } from './ports-file.ts'

/** A port by its code, in any case of letters; closed ones are found, too. UN/LOCODE by sea, IATA by air. */
export const findPort = (tx: Tx, kind: PortKind, code: string): Promise<PortRow | undefined> =>
  loadPort(tx, kind, code.replace(/\s/g, '').toUpperCase())

/** The zone in which the times of a port are said; UTC where nobody knows it. */
export const zoneOf = ({ zone }: Pick<PortRow, 'zone'>): string => zone ?? 'UTC'
