import type { Readable } from 'node:stream'
import { maxExports } from '@isotherm/contract/readings-export.ts'
import { AppError } from '../../platform/errors/app-error.ts'

/** As many run at once in this process, whoever began them. */
const maxInAll = 20
const againS = 30

interface Running {
  companyId: number
  callerId: string
}

/** The exports that are being read now. */
export class RunningExports {
  readonly #running = new Map<Readable, Running>()

  /** Throws TOO_MANY_REQUESTS or BUSY where one more may not run. */
  mayBegin(companyId: number, callerId: string): void {
    const ofCompany = [...this.#running.values()].filter((one) => one.companyId === companyId)
    const ofCaller = ofCompany.filter((one) => one.callerId === callerId)
    if (ofCompany.length >= maxExports.company || ofCaller.length >= maxExports.caller)
      throw new AppError('TOO_MANY_REQUESTS', { seconds: againS }, againS)
    if (this.#running.size >= maxInAll) throw new AppError('BUSY', {}, againS)
  }

  /** Counts a stream among them until it has closed. Throws as `mayBegin`. */
  begin(companyId: number, callerId: string, open: () => Readable): Readable {
    this.mayBegin(companyId, callerId)
    const stream = open()
    this.#running.set(stream, { companyId, callerId })
    stream.once('close', () => this.#running.delete(stream))
    return stream
  }

  /** Breaks off all of them: a server that stops does not wait for their ends. */
  end(): void {
    for (const stream of this.#running.keys()) stream.destroy()
  }
}
