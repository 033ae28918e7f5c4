import { asLogin } from '../../platform/db/transaction.ts'
import type { Services } from '../../platform/services.ts'
import { isLoaded, lockPorts, noteLoaded, retireOthers, savePorts } from './port-queries.ts'
import { readPorts } from './ports-file.ts'

/** Ports of one statement. */
const turn = 500

/**
 * Brings table `ports` in line with the file of this version, at the start of the server, unless that was done. Two servers that start at
 * once do it one after the other, so once.
 */
export async function loadPorts({ pool, clock, log }: Pick<Services, 'pool' | 'clock' | 'log'>): Promise<void> {
  const { ports, sha256 } = await readPorts()
  const closed = await asLogin(pool, async ({ tx }) => {
    await lockPorts(tx)
    if (await isLoaded(tx, sha256)) return null
    for (let from = 0; from < ports.length; from += turn) await savePorts(tx, ports.slice(from, from + turn))
    const retired = await retireOthers(tx, ports, clock.now())
    await noteLoaded(tx, sha256, clock.now())
    return retired
  })
  if (closed !== null) log.info({ ports: ports.length, closed }, 'ports were loaded')
}
