import type { PersonRecipient } from '@isotherm/contract/alarm-recipients.ts'
import type { NewOrderRecipient, OrderRecipient } from '@isotherm/contract/dispatch-settings.ts'
import { onCall } from '@isotherm/contract/on-call.ts'
import { ActionIcon, Checkbox, Group, Select, Stack, Text } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { named } from '../../../lib/named.ts'
import { useCall } from '../../../lib/query.ts'
import { useTeam } from '../../../shared/use-team.ts'

/** A person, or a rota. */
export interface RecipientLine {
  userId: string | null
  rotaId: string | null
  name: string
  channels: PersonRecipient['channels']
  /** Known of those who were saved. */
  mayView?: boolean
  /** The person of a saved rota who is on call; null: nobody who can hear of orders. */
  onCall?: string | null
}

export const linesOf = (recipients: readonly OrderRecipient[]): RecipientLine[] =>
  recipients.map(({ channels, unreachable: _, ...each }) => ({ ...each, channels: personal(channels) }))

export const recipientsOf = (lines: readonly RecipientLine[]): NewOrderRecipient[] =>
  lines.map(({ userId, rotaId, channels }) =>
    rotaId === null ? { userId: userId ?? '', channels } : { rotaId, channels },
  )

const keyOf = ({ userId, rotaId }: RecipientLine) => (rotaId === null ? `${userId}` : `rota ${rotaId}`)

const offered = ['app', 'mail', 'sms', 'chat'] as const
const personal = (channels: readonly string[]) => offered.filter((channel) => channels.includes(channel))

interface RecipientsProps {
  label: string
  lines: RecipientLine[]
  onChange: (lines: RecipientLine[]) => void
  /** Where the contract has them. */
  path: string
  errors: Record<string, ReactNode>
}

/** People of the team and rotas that hear of something, each with their channels. */
export function OrderRecipientsField({ label, lines, onChange, path, errors }: RecipientsProps) {
  const { t } = useTranslation('orders')
  const { people, typed, setTyped } = useTeam()
  const rotas = useCall(onCall.rotas).data ?? []
  const free = people.filter(({ id }) => !lines.some(({ userId }) => userId === id))
  const freeRotas = rotas.filter(({ id }) => !lines.some(({ rotaId }) => rotaId === id))
  const memberOf = (userId: string | null) => people.find(({ id }) => id === userId)
  const choice = t(rotas.length > 0 ? 'settings.addPersonOrRota' : 'settings.addPerson')
  const add = (line: Pick<RecipientLine, 'userId' | 'rotaId' | 'name'>) =>
    onChange([...lines, { ...line, channels: ['app', 'mail'] }])
  return (
    <Stack gap="xs" role="group" aria-label={label}>
      <Text size="sm" fw={500}>
        {label}
      </Text>
      {lines.map((line, index) => (
        <Line
          key={keyOf(line)}
          line={line}
          hasNoPhone={memberOf(line.userId)?.phone === null}
          error={
            errors[`${path}.${index}.channels`] ??
            errors[`${path}.${index}.userId`] ??
            errors[`${path}.${index}.rotaId`] ??
            errors[`${path}.${index}`]
          }
          onChange={(channels) =>
            onChange(lines.map((each) => (keyOf(each) === keyOf(line) ? { ...each, channels } : each)))
          }
          onRemove={() => onChange(lines.filter((each) => keyOf(each) !== keyOf(line)))}
        />
      ))}
      <Select
        aria-label={named(label, choice)}
        placeholder={choice}
        nothingFoundMessage={t('settings.nobody')}
        searchable
        data={[
          ...free.map(({ id, fullname }) => ({ value: id, label: fullname })),
          ...freeRotas.map(({ id, name }) => ({ value: `rota ${id}`, label: t('settings.rotaNamed', { name }) })),
        ]}
        value={null}
        searchValue={typed}
        onSearchChange={setTyped}
        onChange={(id) => {
          const person = free.find((each) => each.id === id)
          const rota = freeRotas.find((each) => `rota ${each.id}` === id)
          if (person) add({ userId: person.id, rotaId: null, name: person.fullname })
          if (rota) add({ userId: null, rotaId: rota.id, name: rota.name })
          setTyped('')
        }}
        error={errors[path]}
        data-path={path}
      />
    </Stack>
  )
}

interface LineProps {
  line: RecipientLine
  hasNoPhone: boolean
  error: ReactNode
  onChange: (channels: PersonRecipient['channels']) => void
  onRemove: () => void
}

function Line({ line, hasNoPhone, error, onChange, onRemove }: LineProps) {
  const { t } = useTranslation('orders')
  const { rotaId, channels, mayView = true, onCall: hearer } = line
  const name = rotaId === null ? line.name : t('settings.rotaNamed', { name: line.name })
  const isSpeechless = hasNoPhone && channels.some((channel) => channel === 'sms' || channel === 'chat')
  return (
    <Stack gap={4}>
      <Group justify="space-between" wrap="nowrap">
        <Text fw={550}>{name}</Text>
        <ActionIcon variant="subtle" color="gray" aria-label={t('settings.remove', { name })} onClick={onRemove}>
          <IconX size={17} />
        </ActionIcon>
      </Group>
      <Checkbox.Group
        aria-label={t('settings.channelsOf', { name })}
        value={channels}
        onChange={(next) => onChange(personal(next))}
        error={error && (channels.length === 0 ? t('settings.noChannel') : error)}
      >
        <Group gap="6px 16px">
          {offered.map((channel) => (
            <Checkbox key={channel} size="xs" value={channel} label={t(`triggers:channel.${channel}`)} />
          ))}
        </Group>
      </Checkbox.Group>
      {rotaId !== null && hearer !== undefined && (
        <Text size="xs" c="dimmed">
          {hearer === null ? t('settings.onCallNobody') : t('settings.onCallNow', { name: hearer })}
        </Text>
      )}
      {!mayView && (
        <Text size="xs" c="dimmed">
          {t('settings.mayNot', { name })}
        </Text>
      )}
      {isSpeechless && (
        <Text size="xs" c="dimmed">
          {t('settings.noPhone', { name })}
        </Text>
      )}
    </Stack>
  )
}
