import {
  type NewShareLink,
  type ShareLink,
  shareLimits,
  shareLinks,
  WallChange,
  WallScreen,
} from '@isotherm/contract/share-links.ts'
import { Checkbox, MultiSelect, NativeSelect, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { differing } from '../../../lib/save-change.ts'
import { formatDuration } from '../../../lib/times.ts'
import { toastSuccess } from '../../../lib/toast.ts'
import { useGroupChoices } from '../../../shared/group-choices.ts'
import { FormDialog } from '../../../ui/form/form-dialog.tsx'
import { useEntityForm } from '../../../ui/form/use-entity-form.ts'
import { refetchLinks } from '../subject.ts'

const hours = [24, 168, 720, 8760] as const

/** Seconds that a picture stays; the first is the usual time. */
const turns = [20, 5, 10, 30, 60, 120, 300, 600]

interface WallDialogProps {
  /** The wall screen to change; null makes one. */
  link: ShareLink | null
  onMade: (link: NewShareLink) => void
  onClose: () => void
}

const shownOf = ({ label, groups, turnS, showsPrivate }: ShareLink): WallChange => ({
  ...{ label, turnS, showsPrivate, groupIds: groups.map(({ id }) => id) },
})

/** Makes the link of a wall screen, or changes what it shows. */
export function WallDialog({ link, onMade, onClose }: WallDialogProps) {
  const { t } = useTranslation('shareLinks')
  const groups = useGroupChoices()
  const form = useEntityForm({
    initialValues: {
      label: link?.label ?? '',
      groupIds: link?.groups.map(({ id }) => id) ?? [],
      hours: '',
      turnS: link?.turnS ? String(link.turnS) : '',
      showsPrivate: link?.showsPrivate ?? false,
    },
    schema: link ? WallChange : WallScreen,
    toBody: ({ hours, turnS, ...values }) => ({
      ...values,
      ...(!link && { hours: hours === '' ? null : Number(hours) }),
      turnS: turnS === '' ? null : Number(turnS),
    }),
    save: async (body) =>
      link
        ? void (await call(shareLinks.changeWall, { params: { id: link.id }, body: differing(shownOf(link), body) }))
        : call(shareLinks.addWall, { body }),
    onSaved: (made) => {
      void refetchLinks()
      if (made) return onMade(made)
      toastSuccess(t('wall.changed'))
      onClose()
    },
  })
  const { getInputProps } = form.fields
  return (
    <FormDialog
      title={link ? t('wall.edit', { label: link.label }) : t('wall.add')}
      form={form}
      submitLabel={link ? t('common:actions.save') : t('wall.submit')}
      onClose={onClose}
    >
      <TextInput label={t('fields.name')} data-autofocus maxLength={80} {...getInputProps('label')} />
      <MultiSelect
        label={t('fields.groups')}
        description={t('fields.groupsHelp')}
        data={groups}
        maxValues={shareLimits.wallGroups}
        searchable
        clearable
        nothingFoundMessage={t('common:form.nothingFound')}
        {...getInputProps('groupIds')}
      />
      <NativeSelect
        label={t('fields.turnS')}
        description={t('fields.turnHelp')}
        data={turns.map((seconds, i) => ({
          value: i === 0 ? '' : String(seconds),
          label: formatDuration(seconds * 1000),
        }))}
        {...getInputProps('turnS')}
      />
      {!link && (
        <NativeSelect
          label={t('fields.hours')}
          data={[
            { value: '', label: t('hours.none') },
            ...hours.map((value) => ({ value: String(value), label: t(`hours.${value}`) })),
          ]}
          {...getInputProps('hours')}
        />
      )}
      <Checkbox label={t('fields.showsPrivate')} {...getInputProps('showsPrivate', { type: 'checkbox' })} />
    </FormDialog>
  )
}
