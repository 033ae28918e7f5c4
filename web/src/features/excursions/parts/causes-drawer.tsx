import {
  type CauseChange,
  type ExcursionCause,
  excursionLimits,
  excursions,
  NewCause,
} from '@isotherm/contract/excursions.ts'
import { Button, Drawer, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { refetchCalls } from '../../../lib/query.ts'
import { EntityForm } from '../../../ui/form/entity-form.tsx'
import { useAskedClose } from '../../../ui/form/use-asked-close.ts'
import { useEntityForm } from '../../../ui/form/use-entity-form.ts'
import classes from './excursions.module.css'

const refetch = () => refetchCalls(excursions.causes, excursions.list, excursions.totals, excursions.ofDevice)

/** The company's causes: an Admin adds, renames, retires them. */
export function CausesDrawer({ causes, onClose }: { causes: readonly ExcursionCause[]; onClose: () => void }) {
  const { t } = useTranslation('excursions')
  const form = useEntityForm({
    initialValues: { name: '' },
    schema: NewCause,
    toBody: (values) => values,
    save: (body) => call(excursions.addCause, { body }),
    onSaved: () => {
      form.startFrom({ name: '' })
      void refetch()
    },
  })
  const close = useAskedClose(form, onClose)
  const retired = causes.filter(({ isRetired }) => isRetired)
  return (
    <Drawer
      opened
      onClose={close}
      title={t('reasons.title')}
      position="right"
      size={560}
      closeButtonProps={{ 'aria-label': t('common:actions.close') }}
    >
      <Stack gap="md">
        <Text size="sm" c="dimmed">
          {t('reasons.lead')}
        </Text>
        <Causes causes={causes.filter(({ isRetired }) => !isRetired)} label={t('reasons.title')} />
        <EntityForm form={form} submitLabel={t('reasons.add')} label={t('reasons.new')}>
          <TextInput
            label={t('reasons.new')}
            maxLength={excursionLimits.causeLength}
            {...form.fields.getInputProps('name')}
          />
        </EntityForm>
        {retired.length > 0 && (
          <>
            <Text size="sm" fw={600}>
              {t('reasons.retired')}
            </Text>
            <Causes causes={retired} label={t('reasons.retired')} />
          </>
        )}
      </Stack>
    </Drawer>
  )
}

function Causes({ causes, label }: { causes: readonly ExcursionCause[]; label: string }) {
  return (
    <ul className={classes.causes} aria-label={label}>
      {causes.map((cause) => (
        <Cause key={`${cause.key} ${cause.name}`} cause={cause} />
      ))}
    </ul>
  )
}

/** A name is saved when its field is left. */
function Cause({ cause }: { cause: ExcursionCause }) {
  const { t } = useTranslation('excursions')
  const [name, setName] = useState(cause.name)
  const [isSaving, setSaving] = useState(false)
  const change = async (body: CauseChange) => {
    setSaving(true)
    try {
      await call(excursions.changeCause, { params: { cause: cause.key }, body }, { toastAll: true })
      await refetch()
    } catch {
      // The call has toasted it.
      setName(cause.name)
    } finally {
      setSaving(false)
    }
  }
  const rename = () => {
    const next = name.trim()
    if (next === '') setName(cause.name)
    else if (next !== cause.name) void change({ name: next })
  }
  return (
    <li>
      <TextInput
        aria-label={t('reasons.name', { name: cause.name })}
        maxLength={excursionLimits.causeLength}
        value={name}
        disabled={isSaving}
        onChange={(event) => setName(event.currentTarget.value)}
        onBlur={rename}
        onKeyDown={(event) => event.key === 'Enter' && event.currentTarget.blur()}
      />
      <Button
        variant="default"
        size="sm"
        loading={isSaving}
        onClick={() => void change({ isRetired: !cause.isRetired })}
      >
        {t(cause.isRetired ? 'reasons.offer' : 'reasons.retire')}
      </Button>
    </li>
  )
}
