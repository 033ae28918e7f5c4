/** The figures that the simulation goes from. Bytes are as disks count them: 1 GB is 10^9. */
export const inputs = {
  /** Seconds between two readings of a device. */
  intervalS: 180,
  /** docs/status.md, `bench -- ingest`: readings a second of two cores, with PostgreSQL and the load generator on them. */
  measured: { httpPerS: 108_000, mqttPerS: 40_000, cores: 2 },
  /** Our own, by `bench -- scale --measure`: a reading with its key, its share of the hourly rollups, and its write-ahead log, alone or of 20 at once. */
  bytes: { reading: 103, rollup: 18, logAlone: 782, logOf20: 227 },
  /** Nobody measured these here: research, and the experience of others. */
  estimated: {
    /** Readings a second that one primary takes for hours, with vacuum and checkpoints. */
    primaryPerS: 30_000,
    logBytesPerS: 50e6,
    restoreBytesPerS: 200e6,
    /** A connection with TLS in Node, and TLS handshakes a second and core. */
    socketBytes: 40_000,
    handshakesPerS: 1_500,
    /** A reading in a month that was packed, with its part of the packed rollups. */
    packedBytes: 6,
  },
  /** Choices of an operator. */
  chosen: {
    nodes: 3,
    nodeCores: 8,
    nodeSocketBytes: 8e9,
    /** From the balancer to one address of a node: net.ipv4.ip_local_port_range of 1024-65535. */
    portsPerAddress: 64_000,
    keptDays: 730,
    openDays: 90,
    restoreHours: 8,
    outageS: 3_600,
    catchUpS: 600,
  },
} as const

export type Inputs = typeof inputs
