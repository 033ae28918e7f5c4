import { Group, Input, UnstyledButton } from '@mantine/core'
import { IconCamera } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { toastError } from '../../../lib/toast.ts'
import { maxPhotos, shrunkPhoto } from '../../../shared/hand-over/shrunk-photo.ts'
import { BlobPicture } from '../../../ui/blob-picture.tsx'
import { FileButton } from '../../../ui/file-chooser.tsx'
import classes from './order-links.module.css'

interface PhotosFieldProps {
  photos: Blob[]
  onChange: (photos: Blob[]) => void
}

/** Up to four photos, made small before they are sent; a click takes one away. */
export function PhotosField({ photos, onChange }: PhotosFieldProps) {
  const { t } = useTranslation('orderLinks')
  const add = async (file: File) => {
    const photo = await shrunkPhoto(file)
    if (photo) onChange([...photos, photo])
    else toastError(t('form.noPhoto'))
  }
  return (
    <Input.Wrapper
      label={t('handOvers.photos')}
      labelElement="div"
      description={t('form.photosHelp', { most: maxPhotos })}
    >
      <Group gap="xs">
        {photos.map((photo, index) => (
          <UnstyledButton
            // biome-ignore lint/suspicious/noArrayIndexKey: a photo has nothing else
            key={index}
            aria-label={t('form.removePhoto', { number: index + 1 })}
            onClick={() => onChange(photos.filter((one) => one !== photo))}
          >
            <BlobPicture blob={photo} alt="" className={classes.photo} />
          </UnstyledButton>
        ))}
        <FileButton
          label={t('form.addPhoto')}
          accept="image/*"
          size="xs"
          variant="default"
          disabled={photos.length >= maxPhotos}
          leftSection={<IconCamera size={16} />}
          onFile={(file) => void add(file)}
        >
          {t('form.addPhoto')}
        </FileButton>
      </Group>
    </Input.Wrapper>
  )
}
