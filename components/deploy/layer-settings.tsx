import { useTranslations } from "next-intl";
import { useId } from "react";
import type { OptionLayer } from "@/lib/common/contract";
import { layerValues, strayLayers, withEntry, withSetting } from "./layer-values";
import type { OptionField } from "./option-fields";
import { ValueControl } from "./value-control";

/** Settings of single layers: each layer that the engine takes them for, with a control for each of its settings. */
export function LayerSettings({
  field,
  value,
  layers,
  onChange,
}: {
  field: OptionField;
  value: unknown;
  /** Of the model, as the engine names them; none while it is unread. */
  layers: readonly OptionLayer[];
  onChange: (value: unknown) => void;
}) {
  const t = useTranslations("deploy.options");
  const given = layerValues(value);
  const strays = layers.length > 0 ? strayLayers(value, layers) : [];
  return (
    <fieldset className="min-w-0 tablet:col-span-2">
      <legend className="label">{field.title}</legend>
      {layers.length === 0 ? (
        <p className="text-dense text-muted">{t("giveModel")}</p>
      ) : (
        <ul
          aria-label={field.title}
          className="max-h-96 divide-y divide-line overflow-y-auto rounded-control border border-line"
        >
          {layers.map((layer) => (
            <li
              key={layer.name}
              className="grid items-end gap-x-4 gap-y-2 px-3 py-2 tablet:grid-cols-[minmax(0,1fr)_minmax(0,3fr)]"
            >
              <span className="min-w-0 self-center text-dense break-words">
                {layer.name} <span className="label">{layer.operator}</span>
              </span>
              <div className="grid grid-cols-2 gap-x-3 gap-y-2 tablet:grid-cols-4">
                {field.settings
                  .filter(({ name }) => layer.settings[name] !== undefined)
                  .map((setting) => (
                    <SettingControl
                      key={setting.name}
                      setting={setting}
                      layer={layer}
                      value={given[layer.name]?.[setting.name]}
                      onChange={(next) =>
                        onChange(withSetting(value, layer.name, setting.name, next))
                      }
                    />
                  ))}
              </div>
            </li>
          ))}
        </ul>
      )}
      {strays.map((name) => (
        <p key={name} className="mt-1 text-dense text-bad">
          {t("noLayer", { layer: name })}{" "}
          <button
            type="button"
            className="btn btn-quiet btn-dense"
            onClick={() => {
              const rest = withEntry(given, name, undefined);
              onChange(Object.keys(rest).length > 0 ? rest : undefined);
            }}
          >
            {t("takeOut")}
          </button>
        </p>
      ))}
      <p className="mt-1 text-label text-muted">{field.text}</p>
    </fieldset>
  );
}

function SettingControl({
  setting,
  layer,
  value,
  onChange,
}: {
  setting: OptionField;
  layer: OptionLayer;
  value: unknown;
  onChange: (value: unknown) => void;
}) {
  const t = useTranslations("deploy.options");
  const id = useId();
  return (
    <div className="min-w-0">
      <label htmlFor={id} className="block truncate text-label text-muted">
        {t.rich("ofLayer", {
          setting: setting.title,
          layer: layer.name,
          hidden: (words) => <span className="sr-only">{words}</span>,
        })}
      </label>
      <ValueControl
        id={id}
        field={setting}
        choices={layer.settings[setting.name] ?? setting.choices}
        value={value}
        usual={t("asModel")}
        onChange={onChange}
      />
    </div>
  );
}
