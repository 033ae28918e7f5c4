import { dispatchSettings } from '@isotherm/contract/dispatch-settings.ts'
import { orders } from '@isotherm/contract/order-calls.ts'
import { type OrderTemplate, orderTemplates } from '@isotherm/contract/order-templates.ts'
import type { OrderDetails } from '@isotherm/contract/orders.ts'
import { ActionIcon, Button, Group, Menu, Skeleton } from '@mantine/core'
import { IconTemplate, IconTrash } from '@tabler/icons-react'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { forgetDraft, readDraft } from '../../features/orders/order-draft.ts'
import {
  emptyOrder,
  isForeign,
  type OrderValues,
  valuesOfOrder,
  valuesOfPattern,
} from '../../features/orders/order-values.ts'
import { call } from '../../lib/call.ts'
import { named } from '../../lib/named.ts'
import { refetchCalls, useCall } from '../../lib/query.ts'
import { toastSuccess } from '../../lib/toast.ts'
import { useUrlSearch } from '../../lib/url-search.ts'
import { confirm } from '../../ui/confirm.ts'
import { Failure } from '../../ui/failure.tsx'
import { Page } from '../../ui/page.tsx'
import { OrderForm } from './order-form.tsx'

/** One page to make an order: empty, from a draft, from a template, like another order; or to change one that has not started. */
export function AddDispatchPage() {
  const { t } = useTranslation('orders')
  const navigate = useNavigate()
  const { search } = useUrlSearch()
  const sourceId = search.edit ?? search.repeat
  const settings = useCall(dispatchSettings.read)
  const pattern = useCall(
    orders.repeat,
    { params: { id: sourceId ?? '' } },
    { enabled: Boolean(sourceId), staleTimeMs: 0 },
  )
  const edited = useCall(
    orders.one,
    { params: { id: search.edit ?? '' } },
    { enabled: Boolean(search.edit), staleTimeMs: 0 },
  )
  const templates = useCall(orderTemplates.list)
  const [round, setRound] = useState(0)
  const [template, setTemplate] = useState<OrderTemplate | null>(null)
  const sources = [...(sourceId ? [pattern] : []), ...(search.edit ? [edited] : [])]
  const isReady = settings.data && sources.every(({ data, isFetching, error }) => data && !isFetching && !error)
  // The form keeps what it began with: what is loaded again later, or fails, must not undo what was typed.
  const [begun, setBegun] = useState<Start | null>(null)
  const key = `${search.edit} ${search.repeat} ${round}`
  if (isReady && begun?.key !== key) setBegun(startOf())
  const start = begun?.key === key ? begun : null
  const failed = start ? undefined : [...(settings.data ? [] : [settings]), ...sources].find(({ error }) => error)
  const order = start?.order

  function startOf(): Start {
    const currency = settings.data?.currencyInUse ?? null
    const money = currency ?? 'USD'
    const first = { key, currency, order: null, isDraft: false, leftOut: null }
    if (search.edit && edited.data && pattern.data) {
      // It keeps its currency, whatever the company's is by now.
      const own = edited.data.currency ?? currency
      const values = valuesOfOrder(edited.data, pattern.data, own ?? money)
      return { ...first, currency: own, order: edited.data, values }
    }
    const like = search.repeat ? pattern.data : template?.order
    if (like) {
      const leftOut = isForeign(like, currency) ? (like.currency ?? null) : null
      return { ...first, values: valuesOfPattern(like, money), leftOut }
    }
    const draft = readDraft()
    return { ...first, values: draft ?? emptyOrder(), isDraft: draft !== null }
  }

  return (
    <Page
      title={order ? t('edit', { code: order.trackingCode }) : t('add')}
      breadcrumb={<Link to="/dispatch/overview">{t('title')}</Link>}
      actions={
        !sourceId && (
          <TemplateMenu
            templates={templates.data ?? []}
            onChoose={(chosen) => {
              setTemplate(chosen)
              setRound(round + 1)
            }}
          />
        )
      }
    >
      {failed?.error && <Failure error={failed.error} onRetry={() => void failed.refetch()} />}
      {!failed && !start && <Skeleton height={420} radius="md" />}
      {start && (
        <OrderForm
          key={key}
          start={start.values}
          currency={start.currency}
          order={start.order}
          isDraft={start.isDraft}
          leftOut={start.leftOut}
          onSaved={({ id }) => void navigate({ to: '/dispatch/order/$orderId', params: { orderId: id } })}
          onStartAfresh={() => {
            forgetDraft()
            setTemplate(null)
            setRound(round + 1)
          }}
        />
      )}
    </Page>
  )
}

/** With which a form began. `key`: another beginning is another form. */
interface Start {
  key: string
  values: OrderValues
  isDraft: boolean
  currency: string | null
  /** The currency of amounts that were left out, because this order is in another one. */
  leftOut: string | null
  /** The order that is changed, with the version that a save names. */
  order: OrderDetails | null
}

interface TemplateMenuProps {
  templates: OrderTemplate[]
  onChoose: (template: OrderTemplate) => void
}

function TemplateMenu({ templates, onChoose }: TemplateMenuProps) {
  const { t } = useTranslation('orders')
  const remove = ({ id, name }: OrderTemplate) =>
    confirm({
      ...{ title: t('template.remove'), text: t('template.removeText', { name }), action: t('common:actions.delete') },
      destructive: true,
      run: async () => {
        await call(orderTemplates.remove, { params: { id } })
        toastSuccess(t('template.removed'))
        await refetchCalls(orderTemplates.list)
      },
    })
  if (templates.length === 0) return null
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" leftSection={<IconTemplate size={16} />}>
          {t('form.fromTemplate')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {templates.map((template) => (
          <Group key={template.id} gap={4} wrap="nowrap">
            <Menu.Item onClick={() => onChoose(template)}>{template.name}</Menu.Item>
            <ActionIcon
              variant="subtle"
              aria-label={named(t('template.remove'), template.name)}
              onClick={() => remove(template)}
            >
              <IconTrash size={16} />
            </ActionIcon>
          </Group>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
