import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import PDFDocument from 'pdfkit';
import { installedFile } from '../../domain/installed-file.ts';
import { breakLongRuns, printable } from './report-text.ts';

/** Each column's heading with its share of the page width. */
type Columns = Readonly<Record<string, number>>;

type Style = keyof typeof styles;
type Level = 1 | 2 | 3;
type Structure = PDFKit.PDFStructureElement;

interface WithCache {
  readonly _font: { layoutCache: object };
}

/** A row of a table, ready to be drawn. */
interface Row {
  readonly texts: readonly string[];
  readonly widths: readonly number[];
  readonly style: Style;
  readonly height: number;
}

/** The fonts' files: pdfkit reads a font again at each use if its name differs from that of the document's first font. */
const regular = fileURLToPath(installedFile('assets/fonts/DejaVuSansCondensed.ttf'));
const bold = fileURLToPath(installedFile('assets/fonts/DejaVuSansCondensed-Bold.ttf'));
const ink = '#1c2330';
const muted = '#4a5362';
const line = '#c9ced6';
const margin = 54;
const footerSpace = 30;
const cellPadding = 8;

/** Maximum pages. Report lists are short: only hostile texts fill more. */
const mostPages = 2_000;
/** Maximum number of cached character widths. The fonts have 6,000 characters. */
const mostWidths = 10_000;
/** Characters after which pdfkit's layout cache is cleared. Otherwise it grows to 700 MB for a long report. */
const charactersRemembered = 20_000;

const styles = {
  text: { font: regular, size: 9.5, color: ink },
  strong: { font: bold, size: 9.5, color: ink },
  muted: { font: regular, size: 8.5, color: muted },
  cell: { font: regular, size: 8, color: ink },
  columnTitle: { font: bold, size: 8, color: ink },
  title: { font: bold, size: 26, color: ink },
  heading1: { font: bold, size: 16, color: ink },
  heading2: { font: bold, size: 12, color: ink },
  heading3: { font: bold, size: 10, color: ink },
} as const;

/** The report exceeds the maximum number of pages. */
export class ReportTooLong extends Error {
  override name = 'ReportTooLong';
}

/**
 * Writes a tagged PDF (ISO 32000-1, section 14.8): headings, paragraphs and tables in reading order, with bookmarks, page
 * numbers and embedded fonts. Table rules and page numbers are artifacts.
 */
export class ReportWriter {
  readonly #doc: PDFKit.PDFDocument;
  readonly #root: Structure;
  readonly #outline: PDFKit.PDFOutline[] = [];
  readonly #footer: string;
  /** By font and character, for a font size of 1. */
  readonly #advances = new Map<string, number>();
  #pages = 1;
  readonly #written = new Map<string, number>();

  constructor(options: { readonly title: string; readonly footer: string; readonly madeAt: Date }) {
    const doc = new PDFDocument({
      size: 'LETTER',
      margins: { top: margin, left: margin, right: margin, bottom: margin + footerSpace },
      pdfVersion: '1.7',
      tagged: true,
      lang: 'en-US',
      displayTitle: true,
      bufferPages: true,
      // Its default is one of its own files, which are not part of the bundled program.
      font: regular,
      info: { Title: options.title, Creator: 'Parapet', CreationDate: options.madeAt },
    });
    doc.on('pageAdded', () => {
      this.#pages += 1;
      if (this.#pages > mostPages) throw new ReportTooLong(`more than ${mostPages} pages`);
    });
    this.#doc = doc;
    this.#footer = options.footer;
    this.#root = doc.struct('Document');
    doc.addStructure(this.#root);
  }

  title(text: string): void {
    this.#doc.moveDown(6);
    this.#bookmark(1, text);
    this.#add('H1', () => this.#write(text, 'title'));
    this.#doc.moveDown(0.5);
  }

  /** Level 1 headings start a new page. */
  heading(level: Level, text: string): void {
    if (level === 1) this.#doc.addPage();
    else this.#keepTogether(level === 2 ? 130 : 90);
    this.#doc.moveDown(level === 1 ? 0 : 0.9);
    this.#bookmark(level, text);
    this.#add(`H${level}`, () => this.#write(text, `heading${level}`));
    this.#doc.moveDown(0.35);
  }

  paragraph(text: string, style: Style = 'text'): void {
    this.#add('P', () => this.#write(text, style));
    this.#doc.moveDown(0.35);
  }

  /** A row that does not fit moves to the next page as a whole, below repeated column titles. */
  table(columns: Columns, rows: readonly (readonly string[])[]): void {
    const table = this.#doc.struct('Table');
    this.#root.add(table);
    const widths = this.#widths(columns);
    this.#keepTogether(60);
    const head = this.#prepare(Object.keys(columns), widths, 'columnTitle');
    this.#draw(head, this.#structure(table, 'TH'));
    for (const cells of rows) {
      const row = this.#prepare(cells, widths, 'cell');
      if (this.#doc.y + row.height > this.#bottom) {
        this.#doc.addPage();
        this.#draw(head, draw => this.#artifact('Layout', draw));
      }
      this.#draw(row, this.#structure(table, 'TD'));
    }
    table.end();
    this.#doc.moveDown(0.6);
  }

  /** Numbers the pages and closes the file. */
  end(): Promise<Uint8Array> {
    this.#root.end();
    const { start, count } = this.#doc.bufferedPageRange();
    for (let page = start; page < start + count; page += 1) {
      this.#doc.switchToPage(page);
      this.#artifact('Pagination', () => this.#writeFooter(`Page ${page + 1} of ${count}`));
    }
    this.#doc.end();
    return buffer(this.#doc as unknown as Readable);
  }

  get #bottom(): number {
    return this.#doc.page.height - margin - footerSpace;
  }

  #keepTogether(height: number): void {
    if (this.#doc.y + height > this.#bottom) this.#doc.addPage();
  }

  #add(tag: string, draw: () => void): void {
    this.#root.add(this.#doc.struct(tag, {}, draw));
  }

  #artifact(type: 'Layout' | 'Pagination', draw: () => void): void {
    this.#doc.markContent('Artifact', { type });
    draw();
    this.#doc.endMarkedContent();
  }

  #write(text: string, style: Style): void {
    const { font, size, color } = styles[style];
    const set = this.#broken(text, this.#doc.page.width - 2 * margin, style);
    this.#doc.font(font).fontSize(size).fillColor(color).text(set, margin, this.#doc.y);
  }

  #bookmark(level: Level, text: string): void {
    const parent = level === 1 ? this.#doc.outline : this.#outline[level - 2]!;
    this.#outline.length = level - 1;
    this.#outline.push(parent.addItem(printable(text)));
  }

  #widths(columns: Columns): number[] {
    const width = this.#doc.page.width - 2 * margin;
    const shares = Object.values(columns);
    const total = shares.reduce((sum, share) => sum + share, 0);
    return shares.map(share => (width * share) / total);
  }

  /** Adds line breaks to runs that are wider than a line. */
  #broken(text: string, width: number, style: Style): string {
    const { font, size } = styles[style];
    this.#doc.font(font).fontSize(size);
    this.#forget(font, text.length);
    return breakLongRuns(printable(text), width, character => this.#advance(font, character) * size);
  }

  #forget(font: string, characters: number): void {
    const written = (this.#written.get(font) ?? 0) + characters;
    const isFull = written > charactersRemembered;
    // pdfkit has no API to clear or limit its cache.
    if (isFull) (this.#doc as unknown as WithCache)._font.layoutCache = Object.create(null);
    this.#written.set(font, isFull ? 0 : written);
  }

  /** Width of a character in the current font, for a size of 1. */
  #advance(font: string, character: string): number {
    const key = `${font} ${character}`;
    const known = this.#advances.get(key);
    if (known !== undefined) return known;
    const { size } = styles.text;
    this.#doc.fontSize(size);
    const advance = this.#doc.widthOfString(character) / size;
    if (this.#advances.size >= mostWidths) this.#advances.clear();
    this.#advances.set(key, advance);
    return advance;
  }

  #prepare(cells: readonly string[], widths: readonly number[], style: Style): Row {
    const texts = cells.map((cell, index) => this.#broken(cell, widths[index]! - cellPadding, style));
    const { font, size } = styles[style];
    this.#doc.font(font).fontSize(size);
    const heights = texts.map((text, index) =>
      this.#doc.heightOfString(text, { width: widths[index]! - cellPadding }),
    );
    return { texts, widths, style, height: Math.max(...heights) + 6 };
  }

  /** Draws the cells side by side, each wrapped by `mark`, with a line below. */
  #draw({ texts, widths, style, height }: Row, mark: (draw: () => void, index: number) => void): void {
    const top = this.#doc.y;
    const { font, size, color } = styles[style];
    let left = margin;
    texts.forEach((text, index) => {
      const width = widths[index]! - cellPadding;
      const x = left;
      const draw = () => {
        this.#doc
          .font(font)
          .fontSize(size)
          .fillColor(color)
          .text(text, x, top + 3, { width });
      };
      mark(draw, index);
      left += widths[index]!;
    });
    this.#artifact('Layout', () => {
      this.#doc
        .moveTo(margin, top + height)
        .lineTo(left, top + height)
        .lineWidth(0.5)
        .stroke(line);
    });
    this.#doc.x = margin;
    this.#doc.y = top + height;
  }

  /** Adds the cells of one row to the structure tree of the table. */
  #structure(table: Structure, tag: 'TH' | 'TD'): (draw: () => void, index: number) => void {
    let row: Structure | undefined;
    return (draw, index) => {
      if (index === 0) {
        row = this.#doc.struct('TR');
        table.add(row);
      }
      row!.add(this.#doc.struct(tag, {}, draw));
    };
  }

  #writeFooter(pages: string): void {
    const { width, height, margins } = this.#doc.page;
    const { font, size, color } = styles.muted;
    const y = height - margin;
    const bottom = margins.bottom;
    // Text below the margin would otherwise start another page.
    margins.bottom = 0;
    this.#doc.font(font).fontSize(size).fillColor(color);
    const pagesWidth = this.#doc.widthOfString(pages);
    const right = width - margin - pagesWidth;
    const own = { width: right - margin - 20, height: size * 1.2, ellipsis: true };
    this.#doc.text(this.#broken(this.#footer, own.width, 'muted'), margin, y, own);
    this.#doc.text(pages, right, y, { lineBreak: false });
    margins.bottom = bottom;
  }
}
