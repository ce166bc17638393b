/** Of the runtime: the class that fills in defaults and checks a value, the same step by step in every language. */
export const rubyCheck = String.raw`    # Checks one value against one schema.
    class Check
      def initialize(root, patterns)
        @root = root
        @patterns = patterns
        @left = MAX_CHECKS
      end

      # Fills in defaults, not within alternatives and conditions. A default does not fill itself again.
      def fill(schema, value, nested, within)
        return unless schema.is_a?(::Hash)

        count(nested)
        fill(target(schema["$ref"]), value, nested + 1, within) if schema.key?("$ref")
        schema.fetch("allOf", []).each { |part| fill(part, value, nested + 1, within) }
        fill_members(schema, value, nested, within) if value.is_a?(::Hash)
        return unless value.is_a?(::Array)

        value.each_with_index { |item, index| fill(place(schema, index), item, nested + 1, within) }
      end

      def check(schema, value, at, nested, faults)
        count(nested)
        add(faults, at, "false") if schema == false
        return unless schema.is_a?(::Hash)

        check(target(schema["$ref"]), value, at, nested + 1, faults) if schema.key?("$ref")
        check_kind(schema, value, at, faults)
        case value
        when ::Integer, ::Float then check_number(schema, value.to_f, at, faults)
        when ::String then check_text(schema, value, at, faults)
        when ::Array then check_list(schema, value, at, nested + 1, faults)
        when ::Hash then check_object(schema, value, at, nested + 1, faults)
        end
        check_parts(schema, value, at, nested + 1, faults)
      end

      private

      def fill_members(schema, value, nested, within)
        properties = schema.fetch("properties", {})
        given = value.keys
        properties.each do |name, member|
          if value.key?(name)
            fill(member, value[name], nested + 1, within)
          elsif member.is_a?(::Hash) && member.key?("default") && within.none? { |one| one.equal?(member) }
            value[name] = Runtime.plain(member["default"], "", 0, [])
            fill(member, value[name], nested + 1, [*within, member])
          end
        end
        return unless schema["additionalProperties"].is_a?(::Hash)

        (given - properties.keys).each { |name| fill(schema["additionalProperties"], value[name], nested + 1, within) }
      end

      def count(nested)
        @left -= 1
        raise TooMuch if @left.negative? || nested > MAX_NESTED
      end

      def add(faults, at, reason, limit = nil)
        faults << Runtime.fault(at, reason, limit) if faults.length < MAX_FAULTS
      end

      def target(reference)
        reference.split("/", -1).drop(1).reduce(@root) do |place, part|
          name = part.gsub("~1", "/").gsub("~0", "~")
          if place.is_a?(::Hash) && place.key?(name) then place[name]
          elsif place.is_a?(::Array) && name.match?(/\A[0-9]+\z/) && name.to_i < place.length then place[name.to_i]
          else return true
          end
        end
      end

      def place(schema, index)
        places = schema.fetch("prefixItems", [])
        index < places.length ? places[index] : schema["items"]
      end

      def found(schema, value, at, nested)
        faults = []
        check(schema, value, at, nested, faults)
        faults
      end

      def check_kind(schema, value, at, faults)
        kind = schema["type"]
        add(faults, at, "type", kind) if kind && (Runtime.types_of(value) & [*kind]).empty?
        if schema.key?("const") && !Runtime.key_of(value).eql?(Runtime.key_of(schema["const"]))
          add(faults, at, "const", schema["const"])
        end
        return unless schema.key?("enum")

        is_one = schema["enum"].any? { |one| Runtime.key_of(one).eql?(Runtime.key_of(value)) }
        add(faults, at, "enum", schema["enum"]) unless is_one
      end

      def check_number(schema, value, at, faults)
        add(faults, at, "minimum", schema["minimum"]) if schema.key?("minimum") && value < schema["minimum"].to_f
        add(faults, at, "maximum", schema["maximum"]) if schema.key?("maximum") && value > schema["maximum"].to_f
        if schema.key?("exclusiveMinimum") && value <= schema["exclusiveMinimum"].to_f
          add(faults, at, "exclusiveMinimum", schema["exclusiveMinimum"])
        end
        if schema.key?("exclusiveMaximum") && value >= schema["exclusiveMaximum"].to_f
          add(faults, at, "exclusiveMaximum", schema["exclusiveMaximum"])
        end
        return unless schema.key?("multipleOf")

        quotient = value / schema["multipleOf"].to_f
        add(faults, at, "multipleOf", schema["multipleOf"]) unless quotient.finite? && quotient == quotient.floor
      end

      def check_text(schema, value, at, faults)
        check_size(schema, value.length, "Length", at, faults)
        expression = @patterns[schema["pattern"]]
        add(faults, at, "pattern", schema["pattern"]) if expression && !expression.match?(value)
      end

      def check_size(schema, size, of, at, faults)
        least = schema["min#{of}"]
        most = schema["max#{of}"]
        add(faults, at, "min#{of}", least) if least && size < least
        add(faults, at, "max#{of}", most) if most && size > most
      end

      def check_list(schema, value, at, nested, faults)
        check_size(schema, value.length, "Items", at, faults)
        if schema["uniqueItems"] == true && value.map { |item| Runtime.key_of(item) }.uniq.length < value.length
          add(faults, at, "uniqueItems")
        end
        value.each_with_index { |item, index| check(place(schema, index), item, "#{at}/#{index}", nested, faults) }
        return unless schema.key?("contains")

        count = value.count { |item| found(schema["contains"], item, at, nested).empty? }
        fits = count >= schema.fetch("minContains", 1) && count <= schema.fetch("maxContains", ::Float::INFINITY)
        add(faults, at, "contains") unless fits
      end

      def check_object(schema, value, at, nested, faults)
        check_size(schema, value.length, "Properties", at, faults)
        schema.fetch("required", []).each do |name|
          add(faults, at + Runtime.step(name), "required") unless value.key?(name)
        end
        schema.fetch("dependentRequired", {}).each do |cause, needed|
          (value.key?(cause) ? needed : []).each do |name|
            add(faults, at + Runtime.step(name), "dependentRequired") unless value.key?(name)
          end
        end
        schema.fetch("dependentSchemas", {}).each do |cause, dependent|
          check(dependent, value, at, nested, faults) if value.key?(cause)
        end
        value.each do |name, member|
          if schema.key?("propertyNames") && !found(schema["propertyNames"], name, at, nested).empty?
            add(faults, at + Runtime.step(name), "propertyNames")
          end
          check_member(schema, [name, member], at + Runtime.step(name), nested, faults)
        end
      end

      def check_member(schema, (name, value), at, nested, faults)
        properties = schema.fetch("properties", {})
        is_further = !properties.key?(name)
        check(properties[name], value, at, nested, faults) unless is_further
        schema.fetch("patternProperties", {}).each do |pattern, member|
          expression = @patterns[pattern]
          is_further = false if expression.nil? || expression.match?(name)
          check(member, value, at, nested, faults) if expression&.match?(name)
        end
        return unless is_further && schema.key?("additionalProperties")

        if schema["additionalProperties"] == false
          add(faults, at, "additionalProperties")
        else
          check(schema["additionalProperties"], value, at, nested, faults)
        end
      end

      def check_parts(schema, value, at, nested, faults)
        schema.fetch("allOf", []).each { |part| check(part, value, at, nested, faults) }
        ["anyOf", "oneOf"].each do |keyword|
          check_branches(schema, keyword, value, at, nested, faults) if schema.key?(keyword)
        end
        add(faults, at, "not") if schema.key?("not") && found(schema["not"], value, at, nested).empty?
        return unless schema.key?("if")

        branch = found(schema["if"], value, at, nested).empty? ? "then" : "else"
        check(schema[branch], value, at, nested, faults) if schema.key?(branch)
      end

      def check_branches(schema, keyword, value, at, nested, faults)
        found = schema[keyword].map { |branch| found(branch, value, at, nested) }
        fitting = found.count(&:empty?)
        return if fitting == 1 || (fitting > 1 && keyword == "anyOf")

        meant = fitting.positive? ? [] : found.reject { |one| one.any? { |each| Runtime.tells_apart?(each, at) } }
        if meant.length == 1
          faults.concat(meant[0].first(MAX_FAULTS - faults.length))
        else
          add(faults, at, keyword)
        end
      end
    end

`;
