import { FileInput, Text } from '@mantine/core';
import { useState } from 'react';
import { evidenceLimits } from '../../../src/contract/dashboard/evidence-limits.ts';
import { useUploadFile } from '../../api/evidence.ts';
import { notify } from '../../components/notify.ts';
import { byteSize } from '../../formats/numbers.ts';
import { fieldError } from '../../forms/error-messages.ts';
import { FormDialog } from '../../forms/form-dialog.tsx';

const types = '.pdf,.png,.jpg,.jpeg,.webp,.txt,.log,.md,.csv,.json,.docx,.xlsx,.odt';
const limit = byteSize(evidenceLimits.itemBytes);

export default function UploadDialog({ onClose }: { readonly onClose: () => void }) {
  const upload = useUploadFile();
  const [file, setFile] = useState<File | null>(null);
  const isTooLarge = file !== null && file.size > evidenceLimits.itemBytes;
  const submit = () => {
    if (!file || isTooLarge) return;
    upload.mutate(file, {
      onSuccess: ({ evidence }) => {
        notify(`${evidence.name} saved as evidence`);
        onClose();
      },
    });
  };
  return (
    <FormDialog
      title="Upload file"
      submitLabel="Upload file"
      mutation={upload}
      disabled={!file || isTooLarge}
      onSubmit={submit}
      onClose={onClose}
      aboveDrawer
    >
      <Text>
        The file is stored encrypted for six years. It can't be changed or deleted before then, so check that
        it's the right one.
      </Text>
      <FileInput
        label="File"
        description={`PDF, PNG, JPEG, WebP, text, CSV, JSON, DOCX, XLSX or ODT, up to ${limit}`}
        placeholder="Choose a file"
        accept={types}
        required
        value={file}
        error={
          isTooLarge
            ? `This file is ${byteSize(file.size)}. Choose one of up to ${limit}.`
            : fieldError(upload.error, 'name')
        }
        onChange={setFile}
      />
    </FormDialog>
  );
}
