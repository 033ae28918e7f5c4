import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openStage, type Stage } from '../pipeline/stage.ts'
import { startProvider } from './provider.ts'

/** Further settings of a server on this stage. */
export interface Messaging {
  provider: Awaited<ReturnType<typeof startProvider>>
  providerUrl: string
  /** Where the server writes its mails. */
  outbox: string
  env: Record<string, string>
}

/** Runs on a stage whose server sends its SMS and webhooks to a provider of our own; what it leaves behind is removed. */
export async function withProvider(
  name: string,
  ports: Parameters<typeof openStage>[0] & { provider: number },
  faults: Parameters<typeof startProvider>[1],
  run: (stage: Stage, messaging: Messaging) => Promise<void>,
) {
  const dataDir = await mkdtemp(join(tmpdir(), `isotherm-${name}-`))
  const provider = await startProvider(ports.provider, faults)
  const stage = await openStage(ports)
  const providerUrl = `http://127.0.0.1:${ports.provider}`
  const env = {
    DATA_DIR: dataDir,
    WEBHOOK_ALLOW_PRIVATE: '1',
    SMS_PROVIDER: 'twilio',
    TWILIO_URL: providerUrl,
    TWILIO_ACCOUNT_SID: 'ACbench',
    TWILIO_AUTH_TOKEN: 'bench',
    TWILIO_FROM: '+15005550006',
  }
  try {
    await run(stage, { provider, providerUrl, outbox: join(dataDir, 'outbox'), env })
  } finally {
    await stage.stop()
    await provider.close()
    await rm(dataDir, { recursive: true, force: true })
  }
}
