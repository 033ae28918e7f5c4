import { DeviceShare, GroupShare, type NewShareLink, shareLinks } from '@isotherm/contract/share-links.ts'
import { Checkbox, NativeSelect, Stack, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { useCan } from '../../../lib/can.ts'
import { FormDialog } from '../../../ui/form/form-dialog.tsx'
import { useEntityForm } from '../../../ui/form/use-entity-form.ts'
import { refetchLinks, type Subject } from '../subject.ts'

const hours = [1, 24, 168, 720] as const

/** Makes a link of a device or a group. */
export function ShareDialog({
  subject,
  onMade,
  onClose,
}: {
  subject: Subject
  onMade: (link: NewShareLink) => void
  onClose: () => void
}) {
  const { t } = useTranslation('shareLinks')
  const isAdmin = useCan('admin')
  const isGroup = subject.kind === 'group'
  const form = useEntityForm({
    initialValues: { label: '', hours: '24', showsPosition: false, showsChart: false, showsPrivate: false },
    schema: isGroup ? GroupShare : DeviceShare,
    toBody: ({ showsPrivate, ...values }) => ({
      ...{ ...values, hours: Number(values.hours) },
      ...(isGroup ? { showsPrivate } : {}),
    }),
    save: (body) => {
      const params = { id: subject.id }
      return isGroup ? call(shareLinks.shareGroup, { params, body }) : call(shareLinks.shareDevice, { params, body })
    },
    onSaved: (link) => {
      void refetchLinks()
      onMade(link)
    },
  })
  const { getInputProps } = form.fields
  return (
    <FormDialog
      title={t('make.title', { name: subject.name })}
      form={form}
      submitLabel={t('make.submit')}
      onClose={onClose}
    >
      <TextInput
        label={t('fields.label')}
        description={t('fields.labelHelp')}
        data-autofocus
        maxLength={80}
        {...getInputProps('label')}
      />
      <NativeSelect
        label={t('fields.hours')}
        data={hours.map((value) => ({ value: String(value), label: t(`hours.${value}`) }))}
        {...getInputProps('hours')}
      />
      <Stack gap="xs">
        <Checkbox label={t('fields.showsPosition')} {...getInputProps('showsPosition', { type: 'checkbox' })} />
        <Checkbox label={t('fields.showsChart')} {...getInputProps('showsChart', { type: 'checkbox' })} />
        {isGroup && isAdmin && (
          <Checkbox label={t('fields.showsPrivate')} {...getInputProps('showsPrivate', { type: 'checkbox' })} />
        )}
      </Stack>
    </FormDialog>
  )
}
