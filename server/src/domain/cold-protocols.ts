/** A way to fulfil a treatment: no probe warmer than `maxC` (hundredths of a degree) for so many days. */
export interface ProtocolRow {
  maxC: number
  days: number
}

/** A schedule of an authority as its source states it. Temperatures are hundredths of a degree Celsius. */
export interface Protocol {
  id: string
  /** ISO 3166 of the country, or EU, whose authority accepts it. */
  market: string
  /** Names of fruit and pest as the source has them. */
  commodity: string
  pest: string
  /** The strictest first. Each row has a clock of its own: the goods have done what the first one that is fulfilled asks for. */
  rows: ProtocolRow[]
  /** Colder than this the fruit may suffer; the treatment does not. */
  minC: number | null
  /** Probes in fruit, at least. */
  probes: number
  /** The same where the goods are in the hold of a vessel, without a container; undefined: as many. */
  probesInHold?: number
  /** Readings of a probe are at most so many minutes apart. */
  maxGapMin: number
  /** A probe changes by no more from one hour to the next, or stays at or below the temperature of the row throughout. */
  maxStepC: number | null
  /** The temperature that all probes have reached at the start; null: that of the row. */
  startC: number | null
  /** Fruit is cooled to this before it is loaded, at most to the temperature of the loosest row; a probe that is `rejectAboveC` warmer tells of a pallet that was not. */
  precoolC: number | null
  rejectAboveC: number | null
  /** A probe that reads so much more or less than 0 °C in ice slurry is replaced. */
  maxOffsetC: number | null
  /**
   * An hour that is warmer than the row does not begin the treatment again where it is no warmer than `voidC`: it does not count, and
   * each day with such an hour makes the treatment `extraHours` longer. Null: every warm hour begins it again.
   */
  hold: { voidC: number; extraHours: number } | null
  source: string
  checkedOn: string
  /** False: nobody has read the authority's own text, but what others write about it. */
  verified: boolean
}

const usual = {
  ...{
    minC: null,
    probes: 3,
    probesInHold: 4,
    maxGapMin: 60,
    maxStepC: 39,
    startC: null,
    rejectAboveC: 28,
    maxOffsetC: 30,
  },
  ...{ hold: null, checkedOn: '2026-11-22', verified: false },
} as const

const medfly = 'Ceratitis capitata'
const codlingMoth = 'Thaumatotibia leucotreta'

/** Schedules by market; the rules of the process are those of 7 CFR 305.6 and of BICON's guideline of 2024-02-15. */
export const coldProtocols: readonly Protocol[] = [
  {
    ...usual,
    ...{ id: 'us-t107-a', market: 'US', commodity: 'Citrus and others', pest: medfly, precoolC: 167, verified: true },
    rows: [
      { maxC: 111, days: 14 },
      { maxC: 167, days: 16 },
    ],
    source: 'USDA T107-a as in 67 FR 64702 and 69 FR 4845; process: 7 CFR 305.6',
  },
  {
    ...usual,
    ...{ id: 'us-t107-a-18', market: 'US', commodity: 'Citrus and others', pest: medfly, precoolC: 222 },
    rows: [
      { maxC: 111, days: 14 },
      { maxC: 167, days: 16 },
      { maxC: 222, days: 18 },
    ],
    source:
      'USDA T107-a as in 67 FR 64702 and 69 FR 4845, with a third row by analogy to BICON 2019; process: 7 CFR 305.6',
  },
  {
    ...usual,
    ...{ id: 'au-il-medfly', market: 'AU', commodity: 'Citrus, Israel', pest: medfly, precoolC: 300, verified: true },
    rows: [
      { maxC: 111, days: 14 },
      { maxC: 167, days: 16 },
      { maxC: 222, days: 18 },
      { maxC: 300, days: 20 },
    ],
    source: 'BICON alert 1295740, from 2019-11-30; process: BICON guideline in-transit cold treatment, 2024-02-15',
  },
  {
    ...usual,
    ...{ id: 'eu-fcm-a', market: 'EU', commodity: 'Citrus sinensis', pest: codlingMoth, precoolC: 0, minC: -100 },
    rows: [{ maxC: 0, days: 16 }],
    source: 'Regulation (EU) 2022/959, from 2023, as in freshfruitportal 2022-06-22, iifiir.org and fructidor',
  },
  {
    ...usual,
    ...{ id: 'eu-fcm-b', market: 'EU', commodity: 'Citrus sinensis', pest: codlingMoth, precoolC: 200, minC: -100 },
    rows: [{ maxC: 200, days: 20 }],
    source: 'Regulation (EU) 2022/959, from 2023, as in freshfruitportal 2022-06-22, iifiir.org and fructidor',
  },
  {
    ...usual,
    ...{ id: 'cn-za-citrus', market: 'CN', commodity: 'Citrus, South Africa', pest: codlingMoth, precoolC: null },
    rows: [{ maxC: -60, days: 24 }],
    source: 'Protocol of South Africa and China of 2006, as in agrotexglobal and echemi',
  },
  {
    ...usual,
    ...{ id: 'cn-za-lemon', market: 'CN', commodity: 'Lemon, South Africa', pest: codlingMoth, precoolC: null },
    rows: [{ maxC: 300, days: 18 }],
    source: 'Protocol of South Africa and China from 2021-08-31, as in agrotexglobal and foodformzansi',
  },
  {
    ...usual,
    ...{ id: 'jp-za-clementine', market: 'JP', commodity: 'Clementine, South Africa', pest: medfly, precoolC: null },
    // Below 0 °C.
    rows: [{ maxC: -1, days: 14 }],
    source: 'J Econ Entomol 104(4):1174 (2011); PPECB HP06J',
  },
  {
    ...usual,
    ...{ id: 'jp-za-citrus', market: 'JP', commodity: 'Citrus, South Africa', pest: medfly, precoolC: null },
    rows: [{ maxC: -1, days: 12 }],
    source: 'J Econ Entomol 104(4):1174 (2011); PPECB HP06J',
  },
  {
    ...usual,
    ...{ id: 'jp-za-proposed', market: 'JP', commodity: 'Citrus, South Africa', pest: medfly, precoolC: null },
    // Proposed: below 1.4 °C from when all probes are at 1 °C or less.
    ...{ rows: [{ maxC: 139, days: 16 }], startC: 100 },
    source: 'J Econ Entomol 104(4):1174 (2011), a proposal',
  },
  {
    ...usual,
    ...{ id: 'us-fcm', market: 'US', commodity: 'Citrus, South Africa', pest: codlingMoth, precoolC: -55 },
    ...{ rows: [{ maxC: -55, days: 22 }], hold: { voidC: 111, extraHours: 8 } },
    source: 'USDA T107-e from memory: no table could be opened',
  },
]

/** A protocol as it applies to goods in a container, or in the hold of a vessel. */
export const asCarried = (protocol: Protocol, { isInHold }: { isInHold: boolean }): Protocol =>
  isInHold ? { ...protocol, probes: Math.max(protocol.probes, protocol.probesInHold ?? 0) } : protocol

export const protocolOf = (id: string): Protocol | undefined => coldProtocols.find((one) => one.id === id)
