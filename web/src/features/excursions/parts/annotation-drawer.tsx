import {
  Annotate,
  type ExcursionCause,
  excursionLimits,
  excursions,
  type ListedExcursion,
} from '@isotherm/contract/excursions.ts'
import { Alert, Select, Text, Textarea } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { refetchCalls } from '../../../lib/query.ts'
import { formatTime } from '../../../lib/times.ts'
import { toastSuccess } from '../../../lib/toast.ts'
import { FormDrawer } from '../../../ui/form/form-drawer.tsx'
import { useEntityForm } from '../../../ui/form/use-entity-form.ts'
import { Kind, Links, Peak } from './excursion-parts.tsx'
import classes from './excursions.module.css'

interface AnnotationDrawerProps {
  ids: readonly string[]
  /** Those of them that are on the screen. */
  rows: readonly ListedExcursion[]
  causes: readonly ExcursionCause[]
  owners: readonly { value: string; label: string }[]
  onSaved: () => void
  onClose: () => void
}

/** The value that all of these have, or null where they differ or one of them is not known. */
function common<T>(ids: readonly string[], rows: readonly ListedExcursion[], read: (row: ListedExcursion) => T | null) {
  const values = new Set(rows.map(read))
  const isCommon = rows.length === ids.length && values.size === 1
  return { value: isCommon ? ([...values][0] ?? null) : null, differ: !isCommon }
}

/** Cause, note and owner of one excursion, or of several: then only what was changed is saved. */
export function AnnotationDrawer({ ids, rows, causes, owners, onSaved, onClose }: AnnotationDrawerProps) {
  const { t } = useTranslation('excursions')
  const cause = common(ids, rows, ({ annotations }) => annotations[0]?.cause?.key ?? null)
  const note = common(ids, rows, ({ annotations }) => annotations[0]?.note ?? null)
  const owner = common(ids, rows, ({ annotations }) => annotations[0]?.owner?.id ?? null)
  // As they were when the form was opened: what others write meanwhile changes the rows, and is no change made here.
  const [initial] = useState({ cause: cause.value, note: note.value ?? '', ownerId: owner.value })
  const form = useEntityForm({
    initialValues: initial,
    schema: Annotate,
    toBody: (values): Annotate => ({
      ids: [...ids],
      ...(values.cause !== initial.cause && { cause: values.cause as Annotate['cause'] }),
      ...(values.note !== initial.note && { note: values.note }),
      ...(values.ownerId !== initial.ownerId && { ownerId: values.ownerId }),
    }),
    save: (body) => call(excursions.annotate, { body }),
    onSaved: () => {
      toastSuccess(t('annotate.saved', { count: ids.length }))
      void refetchCalls(excursions.list, excursions.totals, excursions.ofDevice)
      onSaved()
      onClose()
    },
  })
  const { getInputProps } = form.fields
  const only = ids.length === 1 ? rows[0] : undefined
  const [own, ...joined] = only?.annotations ?? []
  const placeholder = (field: { differ: boolean }, none: string) => (field.differ ? t('annotate.differ') : none)
  const chosenOwner = own?.owner
  const offeredOwners =
    chosenOwner && !owners.some(({ value }) => value === chosenOwner.id)
      ? [...owners, { value: chosenOwner.id, label: chosenOwner.name }]
      : [...owners]
  return (
    <FormDrawer
      title={t('annotate.title', { count: ids.length })}
      form={form}
      submitLabel={t('common:actions.save')}
      onClose={onClose}
    >
      {only ? <About row={only} /> : <Text size="sm">{t('annotate.several')}</Text>}
      {joined.length > 0 && (
        <Alert color="orange">
          {t('annotate.joined')}
          <ul className={classes.joined}>
            {joined.map((one) => (
              <li key={`${one.from} ${one.to}`}>
                {[one.cause?.name, one.note, one.owner?.name].filter(Boolean).join(', ')}
              </li>
            ))}
          </ul>
        </Alert>
      )}
      <Select
        label={t('columns.cause')}
        placeholder={placeholder(cause, t('annotate.none'))}
        data={causes
          .filter(({ key, isRetired }) => !isRetired || key === cause.value)
          .map(({ key, name }) => ({ value: key, label: name }))}
        clearable
        searchable
        {...getInputProps('cause')}
      />
      <Textarea
        label={t('columns.note')}
        description={t('annotate.noteHelp')}
        placeholder={note.differ ? t('annotate.differ') : undefined}
        autosize
        minRows={3}
        maxRows={10}
        maxLength={excursionLimits.noteLength}
        {...getInputProps('note')}
      />
      <Select
        label={t('columns.owner')}
        description={t('annotate.ownerHelp')}
        placeholder={placeholder(owner, t('annotate.nobody'))}
        data={offeredOwners}
        clearable
        searchable
        {...getInputProps('ownerId')}
      />
      {own && (
        <Text size="xs" c="dimmed">
          {t('annotate.changed', { time: formatTime(own.changedAt), name: own.changedBy })}
        </Text>
      )}
    </FormDrawer>
  )
}

function About({ row }: { row: ListedExcursion }) {
  return (
    <div className={classes.about}>
      <strong>{row.deviceName}</strong>
      <span className={classes.cardRow}>
        <Kind row={row} />
        <span>{formatTime(row.startAt)}</span>
      </span>
      <Peak row={row} />
      <Links row={row} />
    </div>
  )
}
