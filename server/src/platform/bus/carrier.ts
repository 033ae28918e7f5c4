import type { BusEvent } from './bus.ts'

/** The bus of this server, as a carrier sees it. */
export interface Hearer {
  /** An event of another server. */
  take(event: BusEvent): void
  /** Events of a company, or of all, may have been lost. */
  missed(companyId?: number): void
  /** The companies that have listeners here. */
  watched(): number[]
}

/** Takes events to the other servers of the installation. It may lose one; once it knows, it says so to those who would have heard it. */
export interface Carrier {
  /** Called once, before anything else. */
  begin(hearer: Hearer): void
  /** Takes an event to the servers that have listeners of its company. */
  send(event: BusEvent): void
  /** A company has listeners here from now on, or none any more. */
  watch(companyId: number, isOn: boolean): void
}
