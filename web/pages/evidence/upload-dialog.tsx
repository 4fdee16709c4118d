import { Button, FileInput, Group, Modal, Stack, Text } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { evidenceLimits } from '../../../src/contract/dashboard/evidence-limits.ts';
import { useUploadFile } from '../../api/evidence.ts';
import { succeed } from '../../components/succeed.ts';
import { FormError, fieldError } from '../../forms/form-error.tsx';
import { inBytes } from './evidence-words.ts';

const types = '.pdf,.png,.jpg,.jpeg,.webp,.txt,.log,.md,.csv,.json,.docx,.xlsx,.odt';

export function UploadDialog({ onClose }: { readonly onClose: () => void }) {
  const upload = useUploadFile();
  const [file, setFile] = useState<File | null>(null);
  const tooLarge = file && file.size > evidenceLimits.itemBytes;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!file || tooLarge) return;
    upload.mutate(file, {
      onSuccess: ({ evidence }) => {
        succeed(`${evidence.name} is kept as evidence`);
        onClose();
      },
    });
  };
  return (
    <Modal opened onClose={onClose} title="Upload a file" zIndex={300}>
      <form onSubmit={submit}>
        <Stack>
          <Text>
            It is stored encrypted and kept for six years: nobody can change or delete it until then. Look
            twice that it is the right file.
          </Text>
          <FileInput
            label="File"
            description={`PDF, PNG, JPEG, WebP, text, CSV, JSON, DOCX, XLSX or ODT, at most ${inBytes(evidenceLimits.itemBytes)}`}
            placeholder="Choose a file"
            accept={types}
            required
            value={file}
            error={
              tooLarge
                ? `It has ${inBytes(file.size)}: at most ${inBytes(evidenceLimits.itemBytes)} are taken`
                : fieldError(upload.error, 'name')
            }
            onChange={setFile}
          />
          <FormError error={upload.error} />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={upload.isPending} disabled={!file || Boolean(tooLarge)}>
              Upload file
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
