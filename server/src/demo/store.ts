import { fileURLToPath } from 'node:url'
import { listItems } from '../core/provider/store.ts'
import { asLogin } from '../platform/db/transaction.ts'
import type { Services } from '../platform/services.ts'
import { desk } from './desk.ts'

const items = [
  {
    code: 'tracker',
    name: 'Tracker',
    price: '85000',
    text: 'Measures temperature, humidity and place, and sends them over the mobile network. Keeps its readings while there is no network. With battery and charger; needs a licence.',
  },
  {
    code: 'temperature-probe',
    name: 'Temperature probe, 2 m',
    price: '18500',
    text: 'Steel probe on a cable of two metres, for cold rooms, fridges and freezers from -40 to +85\u00a0°C. Plugs into the tracker.',
  },
  {
    code: 'humidity-probe',
    name: 'Humidity probe, 2 m',
    price: '24000',
    text: 'Measures relative humidity from 0 to 100 % and temperature, on a cable of two metres. Plugs into the tracker.',
  },
  {
    code: 'gateway',
    name: 'Gateway',
    price: '140000',
    text: 'Takes the readings of the trackers of one building and sends them over Ethernet or the mobile network, where each tracker alone has no signal.',
  },
  {
    code: 'sim-card',
    name: 'SIM card with data for a year',
    price: '12000',
    text: 'For one tracker or gateway. Uses whichever mobile network is the strongest.',
  },
  {
    code: 'calibration',
    name: 'Calibration of a probe',
    price: '30000',
    text: 'Compares one probe with a reference at three temperatures in our laboratory. You get the certificate as a PDF and the probe back within ten working days.',
  },
] as const

/** Things on sale in the demo, made up, each with a picture that we drew; only where the store is empty. */
export async function ensureStore({ pool }: Pick<Services, 'pool'>): Promise<void> {
  if ((await asLogin(pool, ({ tx }) => listItems(tx))).length > 0) return
  for (const { code, name, price, text } of items) {
    const picture = fileURLToPath(new URL(`store/${code}.png`, import.meta.url))
    const priced = ['--currency', 'NGN', '--amount', price]
    await desk(pool, 'store', 'set', code, '--name', name, '--text', text, ...priced, '--picture', picture)
  }
}
