import type { CheckedOrder, OrderWarning } from '@isotherm/contract/new-order.ts'
import type { PriceSummary } from '@isotherm/contract/orders.ts'
import { Alert, Group, List, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { currentLocale } from '../../../lib/i18n.ts'
import { formatMoney } from '../../../lib/money.ts'
import { formatPercent, withUnit } from '../../../lib/numbers.ts'
import { formatDate } from '../../../lib/times.ts'
import { Panel } from '../../../ui/panel.tsx'

/** The price of an order as it is typed, with its estimated taxes. */
export function PricePanel({ checked }: { checked: CheckedOrder | undefined }) {
  const { t } = useTranslation('orders')
  return (
    <Panel title={t('price.title')}>
      {!checked && (
        <Text size="sm" c="dimmed">
          {t('price.waiting')}
        </Text>
      )}
      {checked && (
        <Text size="sm" c="dimmed" mb="xs">
          {t('price.distance', {
            km: withUnit(checked.distanceM / 1_000, 'km', 1),
            kg: withUnit(checked.weightG / 1_000, 'kg'),
          })}
        </Text>
      )}
      {checked && (checked.price ? <PriceLines price={checked.price} /> : <Text size="sm">{t('price.none')}</Text>)}
    </Panel>
  )
}

/** The total of an order, in a line. */
export function PriceTotal({ price }: { price: PriceSummary }) {
  const { t } = useTranslation('orders')
  return <Line label={t('price.total')} amount={formatMoney(price.total, price.currency)} isTotal />
}

/** The lines of a price; a tax whose rate nobody has compared with a source is shown so. */
function PriceLines({ price }: { price: PriceSummary }) {
  const { t } = useTranslation('orders')
  const { currency, taxes, taxNote, taxCountry, taxSince, isTaxVerified } = price
  const isUnverified = !isTaxVerified && (taxes.length > 0 || taxNote === 'none')
  const country = taxCountry && new Intl.DisplayNames([currentLocale(), 'en'], { type: 'region' }).of(taxCountry)
  return (
    <div>
      {price.lines.map((line, index) => (
        <Line
          // biome-ignore lint/suspicious/noArrayIndexKey: lines have no id, and their order is theirs
          key={index}
          label={
            line.kind === 'insurance' ? t('price.insurance', { name: line.label }) : (line.label ?? t('price.delivery'))
          }
          amount={formatMoney(line.amount, currency)}
        />
      ))}
      {taxes.map(({ name, basisPoints, amount }) => (
        <Line
          key={name}
          label={t(isUnverified ? 'price.taxNotVerified' : 'price.tax', {
            ...{ name, rate: formatPercent(basisPoints / 100, basisPoints % 100 === 0 ? 0 : 2) },
          })}
          amount={formatMoney(amount, currency)}
        />
      ))}
      <PriceTotal price={price} />
      <Text size="sm" c="dimmed" mt="xs">
        {taxNote
          ? t(`price.note.${taxNote}`)
          : country && taxSince && t('price.since', { country, date: formatDate(`${taxSince}T12:00:00Z`, 'UTC') })}
      </Text>
      {isUnverified && (
        <Text size="sm" c="dimmed">
          {t('price.notVerified')}
        </Text>
      )}
    </div>
  )
}

const Line = ({ label, amount, isTotal = false }: { label: string; amount: string; isTotal?: boolean }) => (
  <Group justify="space-between" wrap="nowrap" gap="sm">
    <Text size="sm" fw={isTotal ? 650 : 400}>
      {label}
    </Text>
    <Text size="sm" fw={isTotal ? 650 : 400} style={{ fontVariantNumeric: 'tabular-nums', whiteSpace: 'nowrap' }}>
      {amount}
    </Text>
  </Group>
)

/** The price of an order that was made; nothing where nobody asks for money. */
export function OrderPrice({ price }: { price: PriceSummary | null }) {
  const { t } = useTranslation('orders')
  if (!price) return null
  return (
    <Panel title={t('price.title')}>
      <PriceLines price={price} />
    </Panel>
  )
}

/** The things to look at before an order is made. */
export function WarningList({ warnings }: { warnings: readonly OrderWarning[] }) {
  const { t } = useTranslation('orders')
  if (warnings.length === 0) return null
  return (
    <Alert
      color="yellow"
      variant="light"
      icon={<IconAlertTriangle size={18} />}
      title={t('warnings.title')}
      styles={{ title: { color: 'var(--mantine-color-text)' } }}
    >
      <List size="sm">
        {warnings.map(({ code, values }) => (
          <List.Item key={`${code} ${Object.values(values).join()}`}>{t(`warnings.${code}`, values)}</List.Item>
        ))}
      </List>
    </Alert>
  )
}
