import type { Locator, Page } from 'playwright-core';

/** What a job took. A choice is an option of a list of the browser; characters are those of all fields together. */
export interface Count {
  uploads: number;
  clicks: number;
  choices: number;
  fields: number;
  characters: number;
  keys: number;
}

/** All but the characters: each is one decision of a person. */
export const actionsOf = ({ uploads, clicks, choices, fields, keys }: Count): number =>
  uploads + clicks + choices + fields + keys;

/** Works with a page as a person does, and counts it. What it only waits for counts nothing. */
export interface Hand {
  readonly page: Page;
  readonly count: Count;
  upload(file: { name: string; content: Buffer }): Promise<void>;
  click(target: Locator): Promise<void>;
  choose(list: Locator, option: string): Promise<void>;
  /** Types into a field. Where it is not in focus yet, going there is a click. */
  type(field: Locator, text: string): Promise<void>;
  press(key: string): Promise<void>;
}

const MIME = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

export function createHand(page: Page): Hand {
  const count: Count = { uploads: 0, clicks: 0, choices: 0, fields: 0, characters: 0, keys: 0 };
  return {
    page,
    count,
    async upload({ name, content }) {
      count.uploads += 1;
      await page.locator('input[type=file]').setInputFiles({ name, mimeType: MIME, buffer: content });
    },
    async click(target) {
      count.clicks += 1;
      await target.click();
    },
    async choose(list, option) {
      count.choices += 1;
      await list.selectOption(option);
    },
    async type(field, text) {
      await field.waitFor();
      const isFocused = await field.evaluate((element) => element === element.ownerDocument.activeElement);
      if (!isFocused) await this.click(field);
      count.fields += 1;
      count.characters += text.length;
      await field.fill('');
      await field.pressSequentially(text);
    },
    async press(key) {
      count.keys += 1;
      await page.keyboard.press(key);
    },
  };
}
