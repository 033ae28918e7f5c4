import {
  Annotate,
  type ExcursionAnnotation,
  type ExcursionCause,
  excursionLimits,
  excursions,
  type ListedExcursion,
} from '@isotherm/contract/excursions.ts'
import { Alert, Select, Text, Textarea } from '@mantine/core'
import { useLayoutEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { isCallError } from '../../../lib/call-error.ts'
import { refetchCalls } from '../../../lib/query.ts'
import { differing } from '../../../lib/save-change.ts'
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
  const now = { cause: cause.value, note: note.value ?? '', ownerId: owner.value }
  // Nothing is known of a field in which they differ.
  const seenNow = {
    cause: cause.differ ? undefined : (now.cause as Annotate['cause']),
    note: note.differ ? undefined : now.note,
    ownerId: owner.differ ? undefined : now.ownerId,
  }
  // As the form shows them: what others write meanwhile changes the rows, and is no change made here.
  const [{ shown, seen }, setShown] = useState({ shown: now, seen: seenNow })
  const [isRefused, setIsRefused] = useState(false)
  const form = useEntityForm({
    initialValues: shown,
    schema: Annotate,
    toBody: (values): Annotate => ({
      ids: [...ids],
      ...(differing(shown, values) as Omit<Annotate, 'ids'>),
      seen,
    }),
    save: (body) =>
      call(excursions.annotate, { body }).catch(async (error) => {
        if (isCallError(error) && error.code === 'CHANGED_MEANWHILE') {
          await refetchCalls(excursions.list, excursions.ofDevice)
          setIsRefused(true)
        }
        throw error
      }),
    onSaved: () => {
      toastSuccess(t('annotate.saved', { count: ids.length }))
      void refetchCalls(excursions.list, excursions.totals, excursions.ofDevice)
      onSaved()
      onClose()
    },
  })
  // A field that nobody typed in has what others wrote; it stands above those that somebody typed in.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the form begins anew with what the rows have, whatever else is drawn
  useLayoutEffect(() => {
    if (!isRefused) return
    const typed = differing(shown, form.fields.getValues())
    setShown({ shown: now, seen: seenNow })
    form.startFrom(now)
    form.fields.setValues(typed)
  }, [isRefused, now.cause, now.note, now.ownerId])
  const { getInputProps } = form.fields
  const only = ids.length === 1 ? rows[0] : undefined
  const [own, ...joined] = only?.annotations ?? []
  const written = rows.flatMap(({ annotations: [one] }) => one ?? [])
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
      {joined.length > 0 && <Said title={t('annotate.joined')} annotations={joined} />}
      {isRefused && written.length > 0 && <Said title={t('annotate.meanwhile')} annotations={written} />}
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

function Said({ title, annotations }: { title: string; annotations: readonly ExcursionAnnotation[] }) {
  const said = annotations.map((one) => [one.cause?.name, one.note, one.owner?.name].filter(Boolean).join(', '))
  return (
    <Alert color="orange">
      {title}
      <ul className={classes.joined}>
        {[...new Set(said)].map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </Alert>
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
