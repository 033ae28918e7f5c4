import { readFile } from 'node:fs/promises'
import { localeNames } from '@isotherm/contract/common.ts'
import {
  deleteItem,
  findItem,
  findItemWords,
  listItems,
  type Picture,
  putItem,
  putItemPicture,
  putItemPrice,
  putItemWords,
} from '../../core/provider/store.ts'
import { majorText } from '../../domain/money.ts'
import { asLogin } from '../../platform/db/transaction.ts'
import { isJpeg, isPng, isWebp } from '../../platform/files/pictures.ts'
import { changing } from './desk.ts'
import type { ProviderTools } from './provider-tools.ts'
import { table } from './show.ts'
import { amount, currency, line, oneOf } from './typed.ts'
import { UsageError } from './usage-error.ts'

export interface StoreOptions {
  name?: string | undefined
  text?: string | undefined
  currency?: string | undefined
  amount?: string | undefined
  picture?: string | undefined
  locale?: string | undefined
}

/** All pictures travel with each listing. */
const maxPictureBytes = 65_536

/** Reads a picture as it is; `none` takes away the one that there is. */
async function pictureFrom(path: string): Promise<Picture> {
  if (path === 'none') return null
  const bytes = await readFile(path).catch(() => {
    throw new UsageError(`There is no file ${path}`)
  })
  if (bytes.length > maxPictureBytes) throw new UsageError('A picture of the store has at most 64 KB: make it smaller')
  const type = isPng(bytes) ? 'png' : isJpeg(bytes) ? 'jpg' : isWebp(bytes) ? 'webp' : null
  if (!type) throw new UsageError('A picture of the store is PNG, JPEG or WebP')
  return { bytes, type }
}

function codeOf(code: string | undefined): string {
  if (!code || !/^[a-z0-9-]{1,40}$/.test(code))
    throw new UsageError('Which thing? A code of small letters, digits and hyphens, such as probe-2m')
  return code
}

function priceOf(options: StoreOptions): { currency: string; net: number } {
  const of = currency(options.currency)
  return { currency: of, net: amount(options.amount, of) }
}

/** Offers a thing, changes its name, text or picture, or gives it its price in a currency. With a locale: names it in that language. */
export async function setItem(tools: ProviderTools, given: string | undefined, options: StoreOptions): Promise<void> {
  const code = codeOf(given)
  if (options.locale !== undefined) return await translateItem(tools, code, options)
  const price = options.amount === undefined ? null : priceOf(options)
  const picture = options.picture === undefined ? undefined : await pictureFrom(options.picture)
  await changing(tools, async (tx, now) => {
    const known = await findItem(tx, code)
    const before = known ? { name: known.name, text: known.text } : null
    const after = {
      name: line('name', options.name ?? before?.name, 120),
      text: line('text', options.text ?? before?.text, 600),
    }
    await putItem(tx, { code, ...after }, now)
    if (price) await putItemPrice(tx, code, price.currency, price.net)
    if (picture !== undefined) await putItemPicture(tx, code, picture)
    const priced = price ? { price: majorText(price.net, price.currency), currency: price.currency } : {}
    const pictured =
      picture === undefined ? {} : { picture: picture ? `${picture.type}, ${picture.bytes.length} bytes` : null }
    return { act: 'store.set', target: code, before, after: { ...after, ...priced, ...pictured } }
  })
  await showStore(tools)
}

const noSuch = (code: string) => new UsageError(`There is no "${code}" in the store: see store list`)

async function translateItem(tools: ProviderTools, code: string, options: StoreOptions): Promise<void> {
  const locale = oneOf('locale', options.locale, localeNames)
  if (options.picture !== undefined || options.amount !== undefined)
    throw new UsageError('--locale goes with --name and --text: a picture and a price are the same in each language')
  await changing(tools, async (tx) => {
    if (!(await findItem(tx, code))) throw noSuch(code)
    const before = (await findItemWords(tx, code, locale)) ?? null
    const after = {
      name: line('name', options.name ?? before?.name, 120),
      text: line('text', options.text ?? before?.text, 600),
    }
    await putItemWords(tx, code, locale, after)
    return { act: 'store.translated', target: `${code} ${locale}`, before, after }
  })
  tools.out(`"${code}" has its name and text in "${locale}".`)
}

/** Offers a thing no longer; requests for it stay. */
export async function removeItem(tools: ProviderTools, given: string | undefined): Promise<void> {
  const code = codeOf(given)
  await changing(tools, async (tx) => {
    if (!(await findItem(tx, code))) throw noSuch(code)
    await deleteItem(tx, code)
    return { act: 'store.removed', target: code }
  })
  tools.out(`"${code}" is not offered any more.`)
}

export async function showStore(tools: ProviderTools): Promise<void> {
  const items = await asLogin(tools.pool, ({ tx }) => listItems(tx))
  const rows = items.map(({ code, name, prices, text, picture_type: picture }) => [
    code,
    name,
    prices.map((price) => `${majorText(price.amount, price.currency)} ${price.currency}`).join(', '),
    picture ?? '',
    text,
  ])
  table(tools, ['CODE', 'NAME', 'NET', 'PICTURE', 'TEXT'], rows)
}
