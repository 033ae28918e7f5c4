import type { IngestAnswer } from '@isotherm/contract/ingest.ts'

export interface TestReading {
  at: Date
  temperatureC?: number
  humidityPct?: number
  batteryPct?: number
  lightLux?: number
  lat?: number
  lon?: number
}

export interface TestTracker {
  imei: string
  secret: string
}

export interface TestPipeline {
  /** Sends readings as the device would; they are committed, rolled up and judged when it resolves. */
  send(device: TestTracker, readings: TestReading[]): Promise<IngestAnswer>
  /** Answers commands as the device would. */
  ack(device: TestTracker, acks: { commandId: string; at: string; ok: boolean }[]): Promise<IngestAnswer>
  /** Judges alarms by the clock alone: delays that are over, devices that are missed. */
  sweepAlarms(): Promise<void>
  close(): Promise<void>
}
