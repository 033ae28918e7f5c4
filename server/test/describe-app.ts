import { afterAll, beforeAll } from 'vitest'
import type { PipelineOptions } from '../src/pipeline/pipeline.ts'
import type { Config } from '../src/platform/config/config.ts'
import { startTestApp, type TestApp } from './harness.ts'
import { type TestPipeline as StandalonePipeline, startTestPipeline } from './pipeline-harness.ts'
import type { TestPipeline } from './test-pipeline.ts'
import { withPipeline } from './with-pipeline.ts'

/** Opens something before the tests of a file and closes it after them; until then the object is empty. */
function opened<T extends { close(): Promise<void> }>(open: () => Promise<T>): T & { reopen(): Promise<void> } {
  const it = {} as T & { reopen(): Promise<void> }
  it.reopen = async () => {
    if (it.close) await it.close()
    Object.assign(it, await open())
  }
  beforeAll(() => it.reopen())
  afterAll(() => it.close?.())
  return it
}

/** One app for the tests of a file, with its clock, its mails and its jobs. */
export const describeApp = (overrides: Partial<Config> = {}): TestApp => opened(() => startTestApp(overrides))

/** The pipeline of readings of the file's app; devices that a factory makes may then have readings. */
export const describePipeline = (test: TestApp): TestPipeline => opened(() => withPipeline(test))

/** The pipeline without an app, with its ingests on ports of its own. */
export const describeIngest = (
  overrides: Partial<PipelineOptions> = {},
): StandalonePipeline & { reopen(): Promise<void> } => opened(() => startTestPipeline(overrides))
