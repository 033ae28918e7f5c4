import type { BenchDevice } from '../pipeline/fleet.ts'

export interface Ports {
  http: number
  mqtt: number
}

/** The orders to the process of the good tenant, as JSON. */
export interface GoodScene {
  ports: Ports
  devices: BenchDevice[]
  token: string
  groupId: string
}

/** The orders to the process of the hostile tenant, as JSON. */
export interface HostileScene {
  ports: Ports
  devices: BenchDevice[]
  /** One per person of the tenant. */
  tokens: string[]
  /** The address of the first person. */
  email: string
  groupId: string
}

/** Times in ms, and when each was due, s since the phase began. `failures`: how many answers were no success, by status. */
export interface Measured {
  times: number[]
  dueS: number[]
  failures: Record<string, number>
}

export interface GoodFigures {
  /** By kind of call. */
  calls: Record<string, Measured>
  /** Breaches, and how long each took until the stream showed its trigger; null: never. */
  alarms: (number | null)[]
  /** Readings sent so far, both phases together. */
  sent: number
  /** How late the process itself began what it had to do, ms, at most: its own lack of processor. */
  latestStart: number
  cpuSeconds: number
}

export interface AttackFigures {
  connections: number
  sent: number
  accepted: number
  /** By status, code of MQTT or what became of the connection. */
  refused: Record<string, number>
}

export interface HostileFigures {
  attacks: Record<string, AttackFigures>
  cpuSeconds: number
}

/** Orders to a process; `end` is answered with its figures since `begin`, and `quit` by the good one with all it sent. */
export type Order = { word: 'begin'; attacks?: readonly string[] } | { word: 'end' | 'quit' }

export const attackNames = [
  'reports',
  'uploads',
  'bulk',
  'fences',
  'backTests',
  'signIns',
  'exports',
  'charts',
  'ingest',
  'mqtt',
  'slow',
  'reconnects',
] as const
export type AttackName = (typeof attackNames)[number]
