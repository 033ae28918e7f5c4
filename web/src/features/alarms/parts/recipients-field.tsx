import type { Channel } from '@isotherm/contract/alarm-recipients.ts'
import { onCall } from '@isotherm/contract/on-call.ts'
import { ActionIcon, Button, Checkbox, Group, Menu, Select, Stack, Text, TextInput } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useCall } from '../../../lib/query.ts'
import { type TeamMember, useTeam } from '../../../shared/use-team.ts'
import { NotHeard, Vouch } from '../../../ui/not-heard.tsx'
import { type RecipientKind, type RecipientValue, recipientLine } from '../alarm-values.ts'
import classes from './form.module.css'
import { NoUnits } from './no-units.tsx'
import { WebhookKeyButton } from './webhook-key.tsx'

interface RecipientsProps {
  lines: RecipientValue[]
  onChange: (lines: RecipientValue[]) => void
  /** 'recipients' or 'escalation': where the contract has them. */
  path: 'recipients' | 'escalation'
  errors: Record<string, ReactNode>
}

const offered: Record<RecipientKind, Channel[]> = {
  user: ['app', 'mail', 'sms', 'chat'],
  rota: ['app', 'mail', 'sms', 'chat'],
  email: [],
  phone: ['sms', 'chat'],
  webhook: [],
}
const begun: Record<RecipientKind, Channel[]> = {
  user: ['app', 'mail'],
  rota: ['app', 'mail'],
  email: ['mail'],
  phone: ['sms'],
  webhook: ['webhook'],
}
const raw = ['email', 'phone', 'webhook'] as const
const inputTypes = { email: 'email', phone: 'tel', webhook: 'url' } as const

/** The recipients, each with their channels. */
export function RecipientsField({ lines, onChange, path, errors }: RecipientsProps) {
  const { t } = useTranslation('alarms')
  const { people, typed, setTyped } = useTeam()
  const rotas = useCall(onCall.rotas).data ?? []
  const chosen = new Set(lines.map(({ userId }) => userId))
  const add = (kind: RecipientKind, { id, name }: { id: string | null; name: string } = { id: null, name: '' }) =>
    onChange([
      ...lines,
      recipientLine({
        ...{ kind, name, address: '', channels: begun[kind] },
        userId: kind === 'user' ? id : null,
        rotaId: kind === 'rota' ? id : null,
      }),
    ])
  const change = (key: string, next: Partial<RecipientValue>) =>
    onChange(lines.map((line) => (line.key === key ? { ...line, ...next } : line)))
  const free = people.filter(({ id }) => !chosen.has(id))
  const freeRotas = rotas.filter(({ id }) => !lines.some(({ rotaId }) => rotaId === id))
  const choice = t(rotas.length > 0 ? 'form.addPersonOrRota' : 'form.addPerson')
  return (
    <Stack gap="sm">
      {lines.map((line, index) => (
        <Line
          key={line.key}
          line={line}
          person={people.find(({ id }) => id === line.userId)}
          path={`${path}.${index}`}
          errors={errors}
          onChange={(next) => change(line.key, next)}
          onRemove={() => onChange(lines.filter(({ key }) => key !== line.key))}
        />
      ))}
      <Group gap="sm">
        <Select
          style={{ flex: '1 1 200px' }}
          aria-label={choice}
          placeholder={choice}
          nothingFoundMessage={t('form.nobody')}
          searchable
          data={[
            ...free.map(({ id, fullname }) => ({ value: id, label: fullname })),
            ...freeRotas.map(({ id, name }) => ({ value: `rota ${id}`, label: t('rotaNamed', { name }) })),
          ]}
          value={null}
          searchValue={typed}
          onSearchChange={setTyped}
          onChange={(id) => {
            const person = free.find((each) => each.id === id)
            const rota = freeRotas.find((each) => `rota ${each.id}` === id)
            if (person) add('user', { id: person.id, name: person.fullname })
            if (rota) add('rota', rota)
            setTyped('')
          }}
          error={Boolean(errors[path])}
          data-path={path}
        />
        <Menu position="bottom-end">
          <Menu.Target>
            <Button variant="default" leftSection={<IconPlus size={16} />}>
              {t('form.addAddress')}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {raw.map((kind) => (
              <Menu.Item key={kind} onClick={() => add(kind)}>
                {t(`form.address.${kind}`)}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      </Group>
      <NoUnits lines={lines} />
      {lines.some(({ kind }) => kind === 'webhook') && <WebhookKeyButton />}
      {errors[path] && (
        <div role="alert" className={classes.errors}>
          {errors[path]}
        </div>
      )}
    </Stack>
  )
}

interface LineProps {
  line: RecipientValue
  person: TeamMember | undefined
  path: string
  errors: Record<string, ReactNode>
  onChange: (next: Partial<RecipientValue>) => void
  onRemove: () => void
}

function Line({ line, person, path, errors, onChange, onRemove }: LineProps) {
  const { t } = useTranslation('alarms')
  const { kind, channels } = line
  const isNamed = kind === 'user' || kind === 'rota'
  const name = line.name || line.address || t(`form.address.${isNamed ? 'email' : kind}`)
  // A union tells no more than that none of its forms fits.
  const error =
    errors[`${path}.email`] ??
    errors[`${path}.phone`] ??
    errors[`${path}.webhook`] ??
    errors[`${path}.rotaId`] ??
    errors[`${path}.channels`]
  const wrong = error ?? (errors[path] && (kind === 'user' ? errors[path] : t(`form.wrong.${kind}`)))
  const speechless =
    kind === 'user' && person && !person.phone && channels.some((each) => each === 'sms' || each === 'chat')
  return (
    <div className={classes.recipient}>
      <div className={classes.recipientHead}>
        {isNamed ? (
          <Text fw={550}>{kind === 'rota' ? t('rotaNamed', { name }) : line.name}</Text>
        ) : (
          <TextInput
            style={{ flex: 1 }}
            type={inputTypes[kind]}
            aria-label={t(`form.address.${kind}`)}
            placeholder={t(`form.placeholder.${kind}`)}
            value={line.address}
            onChange={(event) => onChange({ address: event.currentTarget.value })}
            error={Boolean(wrong)}
            data-path={errors[`${path}.${kind}`] ? `${path}.${kind}` : path}
          />
        )}
        <ActionIcon variant="subtle" color="gray" aria-label={t('form.remove', { name })} onClick={onRemove}>
          <IconX size={17} />
        </ActionIcon>
      </div>
      {offered[kind].length > 0 && (
        <Checkbox.Group
          aria-label={t('form.channelsOf', { name })}
          value={channels}
          onChange={(next) => onChange({ channels: next as Channel[] })}
        >
          <Group gap="6px 16px">
            {offered[kind].map((channel) => (
              <Checkbox key={channel} size="xs" value={channel} label={t(`triggers:channel.${channel}`)} />
            ))}
          </Group>
        </Checkbox.Group>
      )}
      {line.notHeard && !line.vouched && <NotHeard {...line.notHeard} />}
      {line.needsVoucher && (
        <Vouch name={name} checked={line.vouched === true} onChange={(vouched) => onChange({ vouched })} />
      )}
      {speechless && (
        <Text size="xs" className={classes.caution}>
          {t('form.noPhone', { name: line.name })}
        </Text>
      )}
      {wrong && (
        <div role="alert" className={classes.errors}>
          {channels.length === 0 ? t('form.noChannel') : wrong}
        </div>
      )}
    </div>
  )
}
