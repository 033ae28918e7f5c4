import { type FurtherProduct, namesOfProducts, productsOf } from '@isotherm/contract/shipment-products.ts'
import type { Paper } from '../../reporting/paper.ts'
import { type Field, keptTable, shares } from '../../reporting/table.ts'
import type { Words } from '../../reporting/words.ts'
import type { ShipmentContent } from './report-content.ts'
import { markedAs, type Say } from './report-words.ts'

/** "1,200 cartons" */
const quantityText = (words: Words, { quantity, quantityUnit }: FurtherProduct, say: Say): string | null =>
  quantity === null || quantityUnit === null
    ? null
    : say(`quantity.${quantityUnit}`, { count: quantity, number: words.short(quantity, 3) })

const gtinText = ({ gtin, gtinUnchecked }: FurtherProduct, say: Say): string | null =>
  gtin && markedAs(gtin, gtinUnchecked, say)

const rangeOf = (words: Words, minC: number | null, maxC: number | null): string | null =>
  minC === null && maxC === null ? null : words.range(minC, maxC, '°C')

/** The facts of the goods: of one product all of them, of several their names; a table has the rest. */
export function productFacts({ words }: Paper, { shipment }: ShipmentContent, say: Say): [string, string | null][] {
  const products = productsOf(shipment)
  const [only] = products
  if (!only || products.length > 1) return [[say('fields.products'), namesOfProducts(products)]]
  return [
    [say('fields.product'), namesOfProducts(products)],
    [say('fields.hsCode'), only.hsCode],
    ['GTIN', gtinText(only, say)],
    [say('fields.quantity'), quantityText(words, only, say)],
  ]
}

/** The products of a shipment that has several, each with its numbers and its carrying temperature. */
export function printProducts(paper: Paper, { shipment }: ShipmentContent, say: Say): void {
  const products = productsOf(shipment)
  if (products.length === 1) return
  const { words } = paper
  const columns: { title: string; share: number; cell: (one: FurtherProduct) => string | null }[] = [
    { title: say('fields.product'), share: 6, cell: (one) => namesOfProducts([one]) },
    { title: say('fields.hsCode'), share: 3, cell: ({ hsCode }) => hsCode },
    { title: 'GTIN', share: 5, cell: (one) => gtinText(one, say) },
    { title: say('fields.quantity'), share: 4, cell: (one) => quantityText(words, one, say) },
    { title: say('fields.limits'), share: 5, cell: ({ minC, maxC }) => rangeOf(words, minC, maxC) },
  ]
  const used = columns.filter(({ cell }) => products.some((one) => cell(one)))
  keptTable(
    paper,
    say('fields.products'),
    shares(
      used.map(({ title }) => title),
      used.map(({ share }) => share),
    ),
    products.map((one) => used.map(({ cell }): Field => ({ text: cell(one) ?? '' }))),
  )
}
