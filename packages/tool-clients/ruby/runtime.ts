import { jsonLiteral } from '../literals.js';
import { reasons } from '../reasons.js';

/** `lib/tool_registry/runtime.rb` of packages in Ruby: what checks values and fills in defaults; the standard library alone. */
export const rubyRuntime = String.raw`
require "json"
require "set"

module ToolRegistry
  module Runtime
    # What a tool's specification says.
    Spec = ::Struct.new(:name, :version, :title, :description, :host, :input_schema, :output_schema, :digest, keyword_init: true)

    # What is wrong with a value: where (RFC 6901), the id of the reason, and the reason in words.
    Fault = ::Struct.new(:pointer, :reason, :detail)

    class Invalid < ::StandardError
      attr_reader :faults

      def initialize(what, faults)
        @faults = faults
        super(faults.map { |fault| "#{fault.pointer.empty? ? what : fault.pointer} #{fault.detail}" }.join("\n"))
      end
    end

    # The arguments are not what the input schema asks for.
    class InvalidArguments < Invalid
      def initialize(faults)
        super("The arguments", faults)
      end
    end

    # The implementation's result is not what the output schema asks for.
    class InvalidResult < Invalid
      def initialize(faults)
        super("The output", faults)
      end
    end

    class TooMuch < ::StandardError
    end

    PHRASES = ::JSON.parse(@REASONS@).freeze
    # Levels of a value, levels of checks within each other, checks of one value, and faults that are listed.
    MAX_DEPTH = 100
    MAX_NESTED = 200
    MAX_CHECKS = 1_000_000
    MAX_FAULTS = 1_000
    private_constant :TooMuch, :PHRASES, :MAX_DEPTH, :MAX_NESTED, :MAX_CHECKS, :MAX_FAULTS

    module_function

    def step(name)
      "/#{name.gsub("~", "~0").gsub("/", "~1")}"
    end

    def fault(pointer, reason, limit = nil)
      text = ::JSON.generate(limit)[0, 500]
      Fault.new(pointer, reason, PHRASES.fetch(reason, reason).sub("{limit}") { text })
    end

    # By pointer and reason, each once.
    def ordered(faults)
      faults.uniq { |fault| [fault.pointer, fault.reason] }.sort_by { |fault| [fault.pointer.b, fault.reason] }
    end

    # A copy that is JSON and nothing else, names as strings, whole numbers as Integer; what is none of it goes into the faults.
    def plain(value, at, depth, faults)
      raise TooMuch if depth > MAX_DEPTH

      case value
      when nil, true, false, ::Integer then value
      when ::Float then plain_number(value, at, faults)
      when ::String then plain_text(value, at, faults)
      when ::Array then value.each_with_index.map { |item, index| plain(item, "#{at}/#{index}", depth + 1, faults) }
      when ::Hash then plain_members(value, at, depth, faults)
      else
        faults << fault(at, "json")
        nil
      end
    end

    def plain_number(value, at, faults)
      faults << fault(at, "json") unless value.finite?
      value.finite? && value == value.floor && value.abs < 2**53 ? value.to_i : value
    end

    def plain_text(value, at, faults)
      text = value.encode(::Encoding::UTF_8)
      raise ::EncodingError unless text.valid_encoding?

      text
    rescue ::EncodingError
      faults << fault(at, "unicode")
      ""
    end

    def plain_members(value, at, depth, faults)
      value.each_with_object({}) do |(name, member), members|
        if name.is_a?(::String) || name.is_a?(::Symbol)
          wire = plain_text(name.to_s, at, faults)
          members[wire] = plain(member, at + step(wire), depth + 1, faults)
        else
          faults << fault(at, "json")
        end
      end
    end

    # The same for values that JSON Schema takes for the same.
    def key_of(value)
      case value
      when ::Array then [:list, value.map { |item| key_of(item) }]
      when ::Hash then [:object, value.transform_values { |member| key_of(member) }]
      when ::Integer, ::Float then [:number, value.to_f == 0 ? 0.0 : value.to_f]
      else value
      end
    end

    def types_of(value)
      case value
      when nil then ["null"]
      when true, false then ["boolean"]
      when ::Integer then ["integer", "number"]
      when ::Float then value == value.floor ? ["integer", "number"] : ["number"]
      when ::String then ["string"]
      when ::Array then ["array"]
      else ["object"]
      end
    end

    # Whether a fault says that an alternative is not the one meant: another type, or another constant in a member.
    def tells_apart?(fault, at)
      return ["type", "const"].include?(fault.reason) if fault.pointer == at

      ["const", "enum"].include?(fault.reason) && !(fault.pointer[(at.length + 1)..] || "").include?("/")
    end

    # Checks one value against one schema.
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

    # What a specification asks of arguments and results.
    class Contract
      attr_reader :spec

      def initialize(text)
        contract = ::JSON.parse(text, max_nesting: false)
        spec = contract["spec"]
        members = { input_schema: spec.delete("inputSchema"), output_schema: spec.delete("outputSchema") }
        @spec = Spec.new(**spec.transform_keys(&:to_sym), **members).freeze
        @patterns = contract["patterns"].transform_values { |source| ::Regexp.new(source) }
        @parameters = contract["parameters"].transform_values(&:to_sym)
        @further = contract["further"]
      end

      # Fills in defaults and checks. Gives arguments by the names of parameters; those that the specification does not name are
      # left out, or are in additional_properties where it allows them.
      #
      # Raises InvalidArguments.
      def parameters(given)
        value, faults = checked(@spec.input_schema, given, true)
        faults << Runtime.fault("", "type", "object") if faults.empty? && !value.is_a?(::Hash)
        raise InvalidArguments, faults unless faults.empty?

        named = @parameters.select { |wire, _| value.key?(wire) }.to_h { |wire, name| [name, value[wire]] }
        named[:additional_properties] = value.reject { |wire, _| @parameters.key?(wire) } if @further
        named
      end

      # Gives the answer back.
      #
      # Raises InvalidResult.
      def output(answer)
        schema = @spec.output_schema.nil? ? true : @spec.output_schema
        given = [["result", answer.result, schema]]
        given << ["metadata", answer.metadata, { "type" => "object" }] unless answer.metadata.nil?
        given << ["instruction", answer.instruction, { "type" => "string" }] unless answer.instruction.nil?
        faults = given.flat_map do |name, value, of|
          checked(of, value, false)[1].map { |fault| Fault.new("/#{name}#{fault.pointer}", fault.reason, fault.detail) }
        end
        raise InvalidResult, faults unless faults.empty?

        answer
      end

      private

      def checked(schema, given, fills)
        faults = []
        value = Runtime.plain(given, "", 0, faults)
        if faults.empty?
          check = Check.new(schema, @patterns)
          check.fill(schema, value, 0, []) if fills
          check.check(schema, value, "", 0, faults)
        end
        [value, Runtime.ordered(faults)]
      rescue TooMuch
        [nil, [Runtime.fault("", "limit")]]
      end
    end

    # JSON of an output: result, metadata and instruction, of which the last two are left out where they are nil.
    module Wire
      def to_wire
        given = { "result" => result, "metadata" => metadata, "instruction" => instruction }
        faults = []
        wire = given.reject { |name, value| value.nil? && name != "result" }.to_h do |name, value|
          [name, Runtime.plain(value, "/#{name}", 0, faults)]
        end
        raise InvalidResult, Runtime.ordered(faults) unless faults.empty?

        wire
      end
    end
  end
end
`
  .trimStart()
  .replace('@REASONS@', () => jsonLiteral(reasons));
