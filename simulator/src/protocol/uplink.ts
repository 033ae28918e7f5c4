import type { Ack, Command, Reading } from './wire.ts'

/** A tracker's way to the server, the same for MQTT and HTTP. */
export type Uplink = {
  /** Whether it hears commands by itself, without sending anything. */
  listens: boolean
  /** Delivers; resolves once the server has said that it is stored, rejects when it cannot be delivered now. */
  send: (readings: readonly Reading[], acks: readonly Ack[]) => Promise<void>
  /** Leaves the network: the connection goes away and stays away until `send` or `join`. */
  leave: () => Promise<void>
  /** Comes back to the network, so that commands can arrive. */
  join: () => void
}

export type UplinkOptions = {
  imei: string
  secret: string
  signal: AbortSignal
  onCommands: (commands: readonly Command[]) => void
}
