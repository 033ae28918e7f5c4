import { maxProducts, quantityUnits, sharedRange } from '@isotherm/contract/shipment-products.ts'
import {
  ActionIcon,
  Button,
  Checkbox,
  Group,
  NativeSelect,
  NumberInput,
  Paper,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
} from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { named } from '../../../lib/named.ts'
import { formatTemperature } from '../../../lib/numbers.ts'
import { addPart } from '../../../ui/form/add-part.ts'
import { emptyProduct, rangesOf, type ShipmentValues } from '../shipment-values.ts'
import { useProductTexts } from '../use-product-texts.ts'

interface ProductFieldsProps {
  fields: UseFormReturnType<ShipmentValues>
}

/** The products of a shipment: one first, more when asked. */
export function ProductFields({ fields }: ProductFieldsProps) {
  const { t } = useTranslation('shipments')
  const { furtherProducts, gtinUnchecked } = fields.getValues()
  return (
    <Stack gap="md">
      <OneProduct fields={fields} path="" isUnchecked={gtinUnchecked} />
      {furtherProducts.map((one, index) => (
        <Paper key={one.key} withBorder p="sm" role="group" aria-label={t('form.productNo', { number: index + 2 })}>
          <Group justify="space-between" mb="xs">
            <Text size="sm" fw={600}>
              {t('form.productNo', { number: index + 2 })}
            </Text>
            <ActionIcon
              variant="default"
              aria-label={t('form.removeProduct', { number: index + 2 })}
              onClick={() => fields.removeListItem('furtherProducts', index)}
            >
              <IconTrash size={16} />
            </ActionIcon>
          </Group>
          <OneProduct fields={fields} path={`furtherProducts.${index}.`} isUnchecked={one.gtinUnchecked} />
        </Paper>
      ))}
      {furtherProducts.length > 0 && <Shared fields={fields} />}
      <div>
        <Button
          variant="default"
          leftSection={<IconPlus size={16} />}
          disabled={furtherProducts.length >= maxProducts - 1}
          onClick={(event) => addPart(event, () => fields.insertListItem('furtherProducts', emptyProduct()))}
        >
          {t('form.addProduct')}
        </Button>
      </div>
    </Stack>
  )
}

interface OneProductProps extends ProductFieldsProps {
  /** Empty: the first one. */
  path: string
  isUnchecked: boolean
}

function OneProduct({ fields, path, isUnchecked }: OneProductProps) {
  const { t } = useTranslation('shipments')
  const text = (name: 'variety' | 'hsCode' | 'gtin', max: number) => (
    <TextInput label={t(`fields.${name}`)} maxLength={max} {...fields.getInputProps(`${path}${name}`)} />
  )
  const number = (name: 'quantity' | 'minC' | 'maxC') => (
    <NumberInput label={t(`fields.${name}`)} {...fields.getInputProps(`${path}${name}`)} />
  )
  return (
    <>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput label={t('fields.product')} maxLength={120} {...fields.getInputProps(`${path}product`)} />
        {text('variety', 80)}
        {text('hsCode', 20)}
        {text('gtin', 40)}
        {number('quantity')}
        <NativeSelect
          label={t('fields.quantityUnit')}
          data={[
            { value: '', label: t('form.none') },
            ...quantityUnits.map((value) => ({ value, label: t(`unit.${value}`) })),
          ]}
          {...fields.getInputProps(`${path}quantityUnit`)}
        />
        {number('minC')}
        {number('maxC')}
      </SimpleGrid>
      {(fields.errors[`${path}gtin`] !== undefined || isUnchecked) && (
        <Checkbox
          mt="sm"
          label={named(t('fields.gtin'), t('form.unchecked'))}
          {...fields.getInputProps(`${path}gtinUnchecked`, { type: 'checkbox' })}
        />
      )}
    </>
  )
}

/** The carrying temperature that all products share, or the two that share none. */
function Shared({ fields }: ProductFieldsProps) {
  const { t } = useTranslation('shipments')
  const { range } = useProductTexts()
  const ranges = rangesOf(fields.getValues())
  const { crossed, ...shared } = sharedRange(ranges)
  const [warmer, colder] = crossed ? [ranges[crossed.low], ranges[crossed.high]] : []
  const sharedText = range(shared)
  const text =
    warmer && colder
      ? t('form.apart', {
          ...{ warmer: warmer.product, min: formatTemperature(warmer.minC) },
          ...{ colder: colder.product, max: formatTemperature(colder.maxC) },
        })
      : sharedText && t('form.shared', { range: sharedText })
  return (
    <Text size="sm" c={crossed ? 'red' : 'dimmed'} role="status">
      {text}
    </Text>
  )
}
