import { type FurtherProduct, namesOfProducts, productsOf } from '@isotherm/contract/shipment-products.ts'
import type { ShipmentDetails } from '@isotherm/contract/shipments.ts'
import { Table } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { noValue } from '../../../lib/numbers.ts'
import { Panel } from '../../../ui/panel.tsx'
import { Sideways } from '../../../ui/sideways.tsx'
import { useProductTexts } from '../use-product-texts.ts'

/** The products of a shipment that has several. */
export function ShipmentProducts({ shipment }: { shipment: ShipmentDetails }) {
  const { t } = useTranslation('shipments')
  const texts = useProductTexts()
  if (shipment.furtherProducts.length === 0) return null
  const products = productsOf(shipment)
  const columns: [string, (one: FurtherProduct) => string | null][] = [
    [t('fields.product'), (one) => namesOfProducts([one])],
    [t('fields.hsCode'), ({ hsCode }) => hsCode],
    [t('fields.gtin'), texts.gtin],
    [t('fields.quantity'), texts.quantity],
    [t('fields.limits'), texts.range],
  ]
  const used = columns.filter(([, of]) => products.some(of))
  return (
    <Panel title={t('fields.products')}>
      <Sideways label={`${t('fields.products')}, ${t('fields.quantity')}`}>
        <Table aria-label={t('fields.products')}>
          <Table.Thead>
            <Table.Tr>
              {used.map(([title]) => (
                <Table.Th key={title}>{title}</Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {products.map((one) => (
              <Table.Tr key={JSON.stringify(one)}>
                {used.map(([title, of], index) => (
                  <Table.Td key={title} miw={index === 0 ? 130 : undefined}>
                    {of(one) ?? noValue}
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Sideways>
    </Panel>
  )
}
