import { onCall, type Rota } from '@isotherm/contract/on-call.ts'
import { ActionIcon, Alert, Button, Paper } from '@mantine/core'
import { IconPencil, IconTrash, IconUserShare, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { useCan } from '../../../lib/can.ts'
import { dayName, formatSpan, formatTime } from '../../../lib/times.ts'
import { toastSuccess } from '../../../lib/toast.ts'
import { Silenced } from '../../../shared/silenced.tsx'
import { SilencedDispatch } from '../../../shared/silenced-dispatch.tsx'
import { confirm } from '../../../ui/confirm.ts'
import { FormOf } from '../../../ui/form/form-of.tsx'
import frames from '../../../ui/frames.module.css'
import { RowMenu } from '../../../ui/list/row-menu.tsx'
import shared from '../../../ui/marks.module.css'
import { refetchRotas } from '../refetch-on-call.ts'
import classes from './on-call.module.css'
import { OverrideDialog } from './override-dialog.tsx'
import { RotaForm } from './rota-form.tsx'

/** One rota: who is on call now, then the next weeks, the order of the people, and who stands in. */
export function RotaPanel({ rota }: { rota: Rota }) {
  const { t } = useTranslation('onCall')
  const mayEdit = useCan(onCall.changeRota)
  const [isEditing, setEditing] = useState(false)
  const [isStandingIn, setStandingIn] = useState(false)
  const [now, ...next] = rota.shifts
  const span = (each: { from: string; to: string }) => {
    const { from, to } = formatSpan(each.from, each.to)
    // A line breaks between the two moments, not within one.
    return t('span', { from: from.replaceAll(' ', '\u00a0'), to: to.replaceAll(' ', '\u00a0') })
  }
  const isOther = now !== undefined && rota.onCall !== null && rota.onCall.id !== now.person.id
  return (
    <Paper component="section" className={frames.panel} aria-label={rota.name}>
      <div className={classes.head}>
        <h2>{rota.name}</h2>
        {mayEdit && (
          <div className={classes.headActions}>
            <Button
              size="sm"
              variant="default"
              leftSection={<IconUserShare size={16} />}
              onClick={() => setStandingIn(true)}
            >
              {t('standIn.open')}
            </Button>
            <RotaMenu rota={rota} onEdit={() => setEditing(true)} />
          </div>
        )}
      </div>
      {rota.onCall ? (
        <div className={classes.now}>
          <span className={shared.small}>{t('now')}</span>
          <b className={classes.nowName}>{rota.onCall.name}</b>
          {now && <span>{t('until', { time: formatTime(now.to) })}</span>}
          {isOther && <span className={shared.mark}>{t('unavailable', { name: now.person.name })}</span>}
        </div>
      ) : (
        <Alert color="orange" role="alert">
          {t('silent')}
        </Alert>
      )}
      <h3>{t('next')}</h3>
      <ol className={classes.shifts}>
        {next.map((shift) => (
          <li key={shift.from}>
            <b>{shift.person.name}</b>
            <span className={shared.small}>{span(shift)}</span>
            {shift.insteadOf && <span className={shared.small}>{t('insteadOf', { name: shift.insteadOf.name })}</span>}
          </li>
        ))}
      </ol>
      {rota.overrides.length > 0 && (
        <>
          <h3>{t('standIn.title')}</h3>
          <ul className={classes.overrides}>
            {rota.overrides.map((override) => (
              <li key={override.id}>
                <span>
                  {t('standIn.line', { person: override.person.name, insteadOf: override.insteadOf.name })}
                  <span className={shared.small}>{span(override)}</span>
                </span>
                {mayEdit && <TakeBack id={override.id} name={override.person.name} />}
              </li>
            ))}
          </ul>
        </>
      )}
      <p className={frames.note}>
        {t('turns', {
          people: rota.people.map(({ name, isAvailable }) => (isAvailable ? name : t('away', { name }))).join(' → '),
          day: dayName(rota.weekday, 'long'),
          time: rota.time,
          zone: rota.zone.replaceAll('_', ' '),
        })}
      </p>
      {isEditing && (
        <FormOf thing={rota} version={rota.version}>
          {(held) => <RotaForm rota={held} onClose={() => setEditing(false)} />}
        </FormOf>
      )}
      {isStandingIn && <OverrideDialog rota={rota} onClose={() => setStandingIn(false)} />}
    </Paper>
  )
}

function RotaMenu({ rota, onEdit }: { rota: Rota; onEdit: () => void }) {
  const { t } = useTranslation('onCall')
  const remove = () =>
    confirm({
      title: t('delete.title', { name: rota.name }),
      text: t('delete.text'),
      action: t('common:actions.delete'),
      destructive: true,
      warning: (
        <>
          <Silenced of={{ without: 'rota', id: rota.id }} />
          <SilencedDispatch of={{ without: 'rota', id: rota.id }} />
        </>
      ),
      run: async () => {
        await call(onCall.removeRota, { params: { id: rota.id } })
        toastSuccess(t('done.deleted'))
        await refetchRotas()
      },
    })
  return (
    <RowMenu
      name={rota.name}
      actions={[
        { label: t('common:actions.edit'), icon: <IconPencil size={16} />, onClick: onEdit },
        {
          label: t('common:actions.delete'),
          icon: <IconTrash size={16} />,
          onClick: remove,
          destructive: true,
        },
      ]}
    />
  )
}

function TakeBack({ id, name }: { id: string; name: string }) {
  const { t } = useTranslation('onCall')
  const take = () =>
    confirm({
      title: t('standIn.takeTitle', { name }),
      text: t('standIn.takeText'),
      action: t('standIn.take'),
      destructive: true,
      run: async () => {
        await call(onCall.removeOverride, { params: { id } })
        await refetchRotas()
      },
    })
  return (
    <ActionIcon variant="subtle" color="gray" size={36} aria-label={t('standIn.takeOf', { name })} onClick={take}>
      <IconX size={17} />
    </ActionIcon>
  )
}
