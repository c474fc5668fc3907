import { badRequest } from '../../shared/errors.js';
import type { Draft } from '../../store/index.js';
import { dropText, storeText } from '../collection/route-text.js';
import { type RouteTemplate, routeTemplates } from '../collections.js';
import type { TemplateModel } from '../model/route-model.js';

/** Makes the templates of a file known. @throws BAD_REQUEST (another file has one of that id) */
export function publishTemplates(draft: Draft, fileId: string, templates: readonly TemplateModel[]): void {
  withdrawTemplates(draft, fileId);
  for (const [place, template] of templates.entries()) {
    if (draft.get(routeTemplates, template.id) !== undefined)
      throw badRequest(`expected an id that no other template has, but there is a template '${template.id}'`, {
        reason: 'template_exists',
        resourceId: template.id,
      });
    draft.put(routeTemplates, documentOf(draft, template, { fileId, place }));
  }
}

const documentOf = (
  draft: Draft,
  template: TemplateModel,
  place: Pick<RouteTemplate, 'fileId' | 'place'>,
): RouteTemplate => ({
  id: template.id,
  ...place,
  description: typeof template.options.description === 'string' ? template.options.description : null,
  parameters: template.parameters.map(({ name, required, defaultValue, description }) => ({
    ...{ name, required, defaultValue: defaultValue ?? null, description: description ?? null },
  })),
  ...storeText(draft, ownerOf(template), JSON.stringify(template)),
});

export function withdrawTemplates(draft: Draft, fileId: string): void {
  for (const template of draft.find(routeTemplates, 'file', [fileId])) {
    dropText(draft, ownerOf(template), template);
    draft.remove(routeTemplates, template.id);
  }
}

const ownerOf = ({ id }: Pick<RouteTemplate, 'id'>): string => `template:${id}`;
