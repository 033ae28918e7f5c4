import { dispatchSettings } from '@isotherm/contract/dispatch-settings.ts'
import { orders } from '@isotherm/contract/order-calls.ts'
import { type OrderTemplate, orderTemplates } from '@isotherm/contract/order-templates.ts'
import { ActionIcon, Button, Group, Menu, Skeleton } from '@mantine/core'
import { IconTemplate, IconTrash } from '@tabler/icons-react'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { forgetDraft, readDraft } from '../../features/orders/order-draft.ts'
import { emptyOrder, type OrderValues, valuesOfOrder, valuesOfPattern } from '../../features/orders/order-values.ts'
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
  // Another beginning is another form.
  const [round, setRound] = useState(0)
  const [template, setTemplate] = useState<OrderTemplate | null>(null)
  const order = search.edit ? edited.data : undefined
  const failed = [settings, pattern, edited].find(({ error }) => error)
  const currency = settings.data?.currencyInUse ?? null
  const start = settings.data && startOf()

  function startOf(): { values: OrderValues; isDraft: boolean } | undefined {
    const money = currency ?? 'USD'
    if (search.edit)
      return order && pattern.data && { values: valuesOfOrder(order, pattern.data, money), isDraft: false }
    if (search.repeat) return pattern.data && { values: valuesOfPattern(pattern.data, money), isDraft: false }
    if (template) return { values: valuesOfPattern(template.order, money), isDraft: false }
    const draft = readDraft()
    return draft ? { values: draft, isDraft: true } : { values: emptyOrder(), isDraft: false }
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
      {!failed && start && (
        <StartedForm key={`${sourceId} ${round}`} start={start}>
          {(first) => (
            <OrderForm
              start={first.values}
              currency={currency}
              order={order ?? null}
              isDraft={first.isDraft}
              onSaved={({ id }) => void navigate({ to: '/dispatch/order/$orderId', params: { orderId: id } })}
              onStartAfresh={() => {
                forgetDraft()
                setTemplate(null)
                setRound(round + 1)
              }}
            />
          )}
        </StartedForm>
      )}
    </Page>
  )
}

type Start = { values: OrderValues; isDraft: boolean }

/** Holds on to the first values: what is loaded again must not undo what was typed. */
function StartedForm({ start, children }: { start: Start; children: (start: Start) => React.ReactNode }) {
  const [first] = useState(start)
  return children(first)
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
