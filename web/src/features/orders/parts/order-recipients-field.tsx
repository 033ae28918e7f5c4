import type { PersonRecipient } from '@isotherm/contract/alarm-recipients.ts'
import type { OrderRecipient } from '@isotherm/contract/dispatch-settings.ts'
import { ActionIcon, Checkbox, Group, Select, Stack, Text } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useTeam } from '../../../shared/use-team.ts'

export interface RecipientLine extends PersonRecipient {
  name: string
  /** Known of those who were saved. */
  mayView?: boolean
}

export const linesOf = (recipients: readonly OrderRecipient[]): RecipientLine[] =>
  recipients.map(({ userId, name, channels, mayView }) => ({ userId, name, channels: personal(channels), mayView }))

export const recipientsOf = (lines: readonly RecipientLine[]): PersonRecipient[] =>
  lines.map(({ userId, channels }) => ({ userId, channels }))

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

/** People of the team who hear of something, each with their channels. */
export function OrderRecipientsField({ label, lines, onChange, path, errors }: RecipientsProps) {
  const { t } = useTranslation('orders')
  const { people, typed, setTyped } = useTeam()
  const free = people.filter(({ id }) => !lines.some(({ userId }) => userId === id))
  const memberOf = (userId: string) => people.find(({ id }) => id === userId)
  return (
    <Stack gap="xs" role="group" aria-label={label}>
      <Text size="sm" fw={500}>
        {label}
      </Text>
      {lines.map((line, index) => (
        <Line
          key={line.userId}
          line={line}
          hasNoPhone={memberOf(line.userId)?.phone === null}
          error={errors[`${path}.${index}.channels`] ?? errors[`${path}.${index}.userId`]}
          onChange={(channels) =>
            onChange(lines.map((each) => (each.userId === line.userId ? { ...each, channels } : each)))
          }
          onRemove={() => onChange(lines.filter(({ userId }) => userId !== line.userId))}
        />
      ))}
      <Select
        aria-label={`${label}: ${t('settings.addPerson')}`}
        placeholder={t('settings.addPerson')}
        nothingFoundMessage={t('settings.nobody')}
        searchable
        data={free.map(({ id, fullname }) => ({ value: id, label: fullname }))}
        value={null}
        searchValue={typed}
        onSearchChange={setTyped}
        onChange={(id) => {
          const person = free.find((each) => each.id === id)
          if (person) onChange([...lines, { userId: person.id, name: person.fullname, channels: ['app', 'mail'] }])
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

function Line({ line: { name, channels, mayView = true }, hasNoPhone, error, onChange, onRemove }: LineProps) {
  const { t } = useTranslation('orders')
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
