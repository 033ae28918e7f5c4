import { type Contact, contacts, NewContact } from '@isotherm/contract/contacts.ts'
import { Group, NumberInput, Textarea, TextInput } from '@mantine/core'
import type { ClipboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { refetchCalls } from '../../../lib/query.ts'
import { toastSuccess } from '../../../lib/toast.ts'
import { CountryField } from '../../../shared/dispatch/country-field.tsx'
import { PhoneField } from '../../../shared/dispatch/phone-field.tsx'
import { PlacePicker } from '../../../shared/places/place-picker.tsx'
import { FormDialog } from '../../../ui/form/form-dialog.tsx'
import { useEntityForm } from '../../../ui/form/use-entity-form.ts'
import { bodyOf, pastedPosition, positionOf, valuesOf } from '../contact-values.ts'
import { SamePhone } from './same-phone.tsx'

interface ContactDialogProps {
  /** Null adds one. */
  contact: Contact | null
  /** Another one has the phone number that was typed, and is wanted instead. */
  onOther: (contact: Contact) => void
  onClose: () => void
}

export function ContactDialog({ contact, onOther, onClose }: ContactDialogProps) {
  const { t } = useTranslation('contacts')
  const form = useEntityForm({
    initialValues: valuesOf(contact),
    schema: NewContact,
    toBody: bodyOf,
    save: (body) =>
      contact
        ? call(contacts.change, { params: { id: contact.id }, body: { ...body, version: contact.version } })
        : call(contacts.add, { body }),
    onSaved: () => {
      toastSuccess(t(contact ? 'edited' : 'added'))
      void refetchCalls(contacts.list)
      onClose()
    },
  })
  const { getInputProps, values, setFieldValue } = form.fields
  const coordinate = {
    hideControls: true,
    onPasteCapture: (event: ClipboardEvent) => {
      const position = pastedPosition(event.clipboardData.getData('text'))
      if (!position) return
      event.preventDefault()
      event.stopPropagation()
      setFieldValue('position', position)
    },
  }
  return (
    <FormDialog
      title={contact ? t('edit', { name: contact.name }) : t('add')}
      form={form}
      submitLabel={t(contact ? 'common:actions.save' : 'add')}
      onClose={onClose}
    >
      <TextInput label={t('fields.name')} data-autofocus maxLength={120} {...getInputProps('name')} />
      <TextInput label={t('fields.company')} maxLength={160} {...getInputProps('company')} />
      <PhoneField label={t('fields.phone')} {...getInputProps('phone')} />
      <SamePhone phone={values.phone} but={contact?.id ?? null} onOpen={onOther} />
      <TextInput label={t('fields.email')} type="email" {...getInputProps('email')} />
      <TextInput label={t('fields.address')} maxLength={300} {...getInputProps('address')} />
      <CountryField label={t('fields.country')} clearable {...getInputProps('country')} />
      <PlacePicker
        label={t('fields.position')}
        name={values.name || t('fields.position')}
        position={positionOf(values)}
        onChange={(position, found) => {
          setFieldValue('position', position ?? { lat: '', lon: '' })
          if (found?.country) setFieldValue('country', found.country)
          if (found && values.address.trim() === '') setFieldValue('address', found.name)
        }}
      />
      <Group grow align="start" wrap="nowrap">
        <NumberInput label={t('fields.lat')} {...coordinate} {...getInputProps('position.lat')} />
        <NumberInput label={t('fields.lon')} {...coordinate} {...getInputProps('position.lon')} />
      </Group>
      <Textarea label={t('fields.note')} autosize minRows={2} maxLength={2000} {...getInputProps('note')} />
    </FormDialog>
  )
}
